package main

import "strings"

// The words of the generated texts. The lists are long enough that two rubrics rarely
// share a sentence. vagueWords shares no word with the others, because patterns
// consist of these alone and must match only the texts that are written for them.
var (
	artifactTypes = strings.Fields(`
		user_story prd test_plan test_case bug_report release_note api_design runbook
		incident_report code_review commit_message pull_request design_document data_contract
		meeting_minutes status_report risk_register onboarding_guide support_answer sales_offer
		training_plan audit_finding change_request interview_guide job_description
		knowledge_article migration_plan privacy_notice security_advisory survey_design
		threat_model vendor_assessment`)

	subjects = strings.Fields(`
		account address alarm archive asset backup badge balance batch bill booking branch budget
		calendar campaign card catalog channel claim client contract coupon course customer
		dashboard delivery deposit device discount document dispute employee event export
		feedback field file filter folder form gateway holiday import invoice journal ledger
		license loan location login mailbox member message meter network notice offer order
		package parcel payment permit reservation résumé`)

	qualities = strings.Fields(`
		accuracy agreement ambition balance boundaries brevity causality clarity coherence
		comparison completeness concreteness consistency context continuity correctness cost
		coverage depth detail diagnosis discipline evidence examples feasibility focus framing
		freshness grounding honesty impact independence integrity intent isolation layout
		legibility limits logic measurement motivation naming neutrality order origin ownership
		pacing precision priority proof purpose readability recovery relevance rollback safety
		scope sequence severity specificity structure testability timing tone traceability`)

	roles = strings.Fields(`
		accountant administrator analyst architect auditor buyer cashier clerk coach designer
		developer dispatcher editor engineer inspector instructor lawyer librarian manager mechanic
		nurse operator planner porter receptionist researcher reviewer supervisor teacher technician
		tester translator treasurer volunteer warden`)

	verbs = strings.Fields(`
		accepts adds approves archives assigns books cancels checks closes collects compares confirms
		copies corrects counts creates deletes exports extends files forwards imports issues links
		locks merges moves opens pays prints publishes reads records refuses releases removes renames
		renews repeats replaces reports reserves restores returns scans sends signs sorts splits
		stores tracks unlocks updates verifies withdraws`)

	parts = strings.Fields(`
		actor amount audience baseline cause channel condition consequence currency date deadline
		decision dependency duration effect endpoint evidence exception fallback format goal input
		interval limit location measure method metric milestone outcome output owner permission place
		precondition quantity reason recipient reference result role schedule sender signal source
		state step target threshold trigger unit version warning`)

	places = strings.Fields(`
		app booth café canteen cockpit console counter depot desk foyer garage gate hall kiosk
		laboratory lobby office platform portal registry screen shop site station terminal warehouse
		ward workshop`)

	days = strings.Fields(`
		Monday Tuesday Wednesday Thursday Friday Saturday Sunday Easter Christmas Whitsun
		Epiphany Ascension Pentecost Midsummer Halloween`)

	vagueWords = strings.Fields(`
		abundant acceptable adequate advanced agile aggressive ample approximate awesome basic
		beautiful better big bold brilliant broad careful casual cheap classic clean clever
		comfortable common compelling convenient cool critical crucial current cute decent delightful
		desirable dynamic easy efficient elegant engaging enhanced enjoyable essential excellent
		exciting extensive fancy fantastic fast few fine flawless flexible frictionless frequent
		fresh friendly gentle good gorgeous graceful great handy holistic huge ideal immediate
		impressive improved incredible innovative instant intelligent intuitive large latest lean
		light limitless lively logical lovely magical major many massive maximal meaningful minimal
		minor modern modest natural neat nice nimble normal numerous obvious occasional optimal
		ordinary outstanding perfect playful pleasant plenty polished poor popular powerful practical
		premium pretty previous proactive proper quick quiet rapid rare realistic reasonable recent
		regular reliable remarkable responsive rich right robust rough scalable seamless sensible
		several sharp shiny significant similar simple sleek slick slow small smart smooth snappy
		solid some soon sophisticated special speedy splendid stable standard strong stunning suitable
		superb swift synergetic tidy timely tiny traditional trivial typical ultimate unique universal
		unusual usable useful usual valuable various vast versatile vibrant viable vital vivid
		warm weak wonderful`)
)
