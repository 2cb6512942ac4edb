#!/usr/bin/env python3
"""Writes patterns.json: the patterns that recheck labels.

Some are written one by one after what linters and validators look for. Others
combine pieces, so that each way in which a pattern can be slow is met with each
way in which it is not. The rest are drawn at random, always the same.
"""

import itertools
import json
import random

WRITTEN = [
    # The table and the timings of the notes on hazards.
    r"(a+)+$", r"(a|aa)+$", r"(a|ab)*c", r".*.*=.*", r"\s+$", r"^(foo-?bar)?side", r"(a|a)*$", r"^(a{1,30}){1,30}$",
    # Words and phrases that rubrics look for.
    r"\betc\b", r"\betc\.", r"\band so (?:on|forth)\b", r"\bas (?:soon|fast|much) as possible\b", r"\bTB[CD]\b", r"\bTODO:",
    r"\b[Ll]orem [Ii]psum\b", r"\bworks? (?:as expected|properly|fine)\b", r"\bassum(?:e|es|ed|ing)\b", r"\bvarious\b",
    r"\b(?:verify|check) (?:that )?it works\b", r"<[Ii]nsert [A-Za-z0-9_ ]+>", r"\bon [A-Z][a-z]+'s (?:machine|laptop)\b",
    r"\bobvious(?:ly)?\b", r"\buser[- ]friendly\b", r"\bshould(?:n't)?\b", r"\b(\w+) of the \w+\b", r"(?:\bvery\s+)+good",
    # Markdown, diffs and source text.
    r"^#{1,6}[ \t]+\S", r"^#{1,6}\s+.*$", r"^\s*[-*+]\s+\S", r"^\s*\d+\.\s+\S", r"\[[^\]]*\]\([^)]*\)", r"!\[[^\]]*\]\(\)", r"\[[^\]\[]*\]\(#\)",
    r"`[^`]+`", r"```[a-z]*\n[\s\S]*?\n```", r"\*\*[^*]+\*\*", r"__.+__", r"^\|(?:[^|\n]*\|)+$", r"^(?:\|[^|]+)+\|$", r"<!--[\s\S]*?-->",
    r"<!--.*-->", r"^[ \t]*\+\+\+ [^ \t\n]", r"^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@", r"//\s*TODO.*$", r"^\s*//.*TODO", r"/\*[\s\S]*?\*/",
    r"/\*(?:[^*]|\*[^/])*\*/", r"/\*(?:[^*]|\*+[^*/])*\*+/", r"console\.log\(", r"debugger;?\s*$", r"^import .* from .*$", r"^\s*import\s+(.+)\s+from\s+(.+)\s*;$",
    r"\bfunction\s+\w+\s*\(", r"\bfunc \w+\([^)]*\) \(?[^{]*\{", r"^\s*def\s+\w+\(.*\):", r"'(?:[^'\\]|\\.)*'", r'"(?:[^"\\]|\\.)*"', r'"(?:\\.|[^"])*"',
    r'"(?:[^"\\]+|\\.)*"', r'"([^"]|\\")*"', r"\$\{[^}]+\}", r"\{\{\s*\w+\s*\}\}", r"\{\{[ ]*[a-z]+[ ]*\}\}", r"%[sd]", r"^\s*$", r"[ \t]+$", r"^[ \t]+", r"\n{3,}",
    r"\r?\n\r?\n", r"(?:\r?\n)+$", r"^\s+|\s+$", r"\s+,", r",\s*\}", r"\s*=\s*", r"\s*;\s*$", r"(?:\s*,\s*)+$",
    # Addresses, numbers, dates, names and versions.
    r"^[^@\s]+@[^@\s]+\.[^@\s]+$", r"^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$", r"[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}",
    r"^([a-zA-Z0-9_.-])+@(([a-zA-Z0-9-])+\.)+([a-zA-Z0-9]{2,4})+$", r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
    r"^\w+([-+.']\w+)*@\w+([-.]\w+)*\.\w+([-.]\w+)*$", r"^https?://\S+$", r"https?://\S+\.png", r"^(https?://)?([\da-z.-]+)\.([a-z.]{2,6})([/\w .-]*)*/?$",
    r"^(?:https?://)?(?:www\.)?[a-z0-9-]+(?:\.[a-z]+)+$", r"^(([a-z0-9]+-)*[a-z0-9]+\.)+[a-z]+$", r"^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$",
    r"^\d{1,3}(?:\.\d{1,3}){3}$", r"\b\d{1,3}(?:\.\d{1,3}){3}\b", r"^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$", r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    r"^\d{4}-\d{2}-\d{2}$", r"\b\d{1,2}/\d{1,2}/\d{4}\b", r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$", r"^\d+$", r"^-?\d+(?:\.\d+)?$",
    r"^-?\d*\.?\d*$", r"^[+-]?\d*\.?\d+(?:e[+-]?\d+)?$", r"^\d+(,\d+)*$", r"^(\d+,?)+$", r"^\d{1,3}(,\d{3})*(\.\d+)?$", r"^(\d|\d\d)+$", r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$",
    r"^v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$", r"\bv[0-9]+\.[0-9]+", r"\b[0-9]+\.[0-9]+\.[0-9]+\b", r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", r"^[a-z]+(-[a-z]+)*$",
    r"^([a-z]+-?)+$", r"^([a-z]+[-_]?)*$", r"^[A-Z][a-z]+(?: [A-Z][a-z]+)*$", r"^([A-Z][a-z]+ ?)+$", r"^[\w-]+(?:\.[\w-]+)*$", r"^[\w.-]+(?:\.[\w-]+)*$",
    r"^(?:[A-Z][a-z]*)+$", r"^([A-Za-z]+\s?)+$", r"^[a-zA-Z]+(([',. -][a-zA-Z ])?[a-zA-Z]*)*$", r"^\(?\d{3}\)?[ -]?\d{3}-?\d{4}$", r"^[+]?\d+(?:[ -]?\d+)*$",
    r"^(?:[+]?\d+[ -]?)+$", r"^#?[0-9a-f]{6}$", r"^#(?:[0-9a-f]{3}){1,2}$", r"^[A-Z]{2,10}-\d+$", r"\b[A-Z]{2,10}-\d+\b", r"^/(?:[^/]+/)*[^/]*$", r"^(/[\w-]+)+/?$", r"^(?:/?[^/]+)+$",
    r"^(.+/)*(.+)$", r"^(.*?,){11}P", r"^(?:.*,){3}x$", r"^(([^,]*),)*end$", r"^\s*(\w+\s*=\s*\w+\s*;?\s*)*$", r"^(?:\w+=\w+&?)+$", r"^(\w+=[^&]*&?)*$", r"^(?:[a-z]+=[a-z]*(?:&|$))+$",
    r"^(\s*\S+\s*)*$", r"^(?:\s*\S)*\s*$", r"^\S+(?: \S+)*$", r"^(\S+ ?)+$", r"(\S+\s+)*x", r"\bGIVEN\b.*\bWHEN\b.*\bTHEN\b", r"^Given .+ When .+ Then .+$", r"As an? .+, I (?:want|can) .+ so that .+",
    r"(?:GET|POST|PUT|DELETE)\s+/\S*", r"\b(?:GET|POST)[ \t`*|]+/[a-z]", r"\b20[0-8]\b", r"\{[ \t\n]*\"[^\"\n]+\"[ \t\n]*:", r"^[^\n]*\n(?:={3,}|-{3,})[ \t]*$", r"=+\s*$", r"-+>", r"<-+", r"\.{3,}", r"!{2,}", r"(?:ha)+", r"(?:ha)+!", r"(?:ha|h)+a!",
    r"<[^>]*>", r"<[^<>]*>", r"<\w+[^>]*>", r"<(\w+)>.*</", r"<a\s+(?:[^>]*?\s+)?href=\"[^\"]*\"", r"^<([a-z]+)([^<]+)*(?:>(.*)|\s+/>)$", r"\s*\(\s*", r"\(.*\)", r"\([^()]*\)", r"\[.*?\]", r"^\[(?:\s*\d+\s*,?)*\]$", r"^\[\s*(?:\d+\s*(?:,\s*\d+\s*)*)?\]$",
    r"((a*)*)*b", r"(a*)*b", r"(a*)+b", r"(a+)*b", r"(a?)*b", r"(a?b?)*c", r"(a*b*)*c", r"(?:a|b|ab)*c", r"(?:a|b|c)*d", r"(?:ab|a|b)+$", r"(?:aa|aaa)*b", r"(?:ab|ba)*c", r"(?:aab|aba)*c", r"(x+x+)+y", r"(x+y*)+z", r"^(x+y+)+z", r"^(x+y?)+z", r"(.*)*x", r"(.+)+x", r"(.|\n)*x", r"([\s\S])*x", r"(\w|\d)*!", r"(\w|-)*!", r"([a-c]|[b-d])*!", r"([a-b]|[c-d])*!", r"(\d+|\w+)*!", r"(\d+|[a-z]+)*!", r"^(\d+|[a-z]+)*!$",
]


def combined():
    """Two repetitions with something between them, in several surroundings."""
    firsts = ["a*", "a+", r"\w+", ".*", "[^x]*", r"\s*"]
    between = ["", "b", "b?", r"\s*"]
    seconds = ["a+", r"\w*", ".*"]
    for begin, first, mid, second, end in itertools.product(["", "^"], firsts, between, seconds, ["", "$"]):
        yield begin + first + mid + second + end
    for begin, body, sign, end in itertools.product(["", "^", r"\b"], ["a", "ab?", "a|b", "a|a", "a+", "a+b", r"\w\s?", r"\w+\s", r"\w+\s?", "a?b"], ["*", "+", "{2,5}"], ["", "$", "c"]):
        yield f"{begin}(?:{body}){sign}{end}"


LIMITS = [r"^(a{1,20}){1,20}$", r"(a{0,20}){0,20}b", r"a{0,50}b", r"^a{1,9}a{1,9}$", r"(a?){20}a{20}", r"(?:a?b?){30}c", r"^(?:a{2}|a{3}){4,}$", r"\d{1,3}(?:,\d{3}){0,4}", r"(?:[a-z]{1,8} ){1,8}x", r"^(?:a{1,3}){1,3}$", r"x{1,100}y{1,100}z"]


def drawn(many):
    """Expressions of a few pieces at random."""
    dice = random.Random(2026)

    def sequence(depth):
        out = ""
        for _ in range(dice.randint(1, 3)):
            atom = dice.choice(["a", "b", "c", "[ab]", "[^a]", ".", r"\w", r"\s", r"\b", "^", "$"])
            if depth and dice.random() < 0.4:
                atom = "(?:" + "|".join(sequence(depth - 1) for _ in range(dice.randint(1, 2))) + ")"
            sign = dice.choice(["", "", "*", "+", "?", "*?", "+?", "{2}", "{0,2}", "{1,3}", "{2,}"])
            out += atom if atom in ("^", "$", r"\b") else atom + sign
        return out

    found = [sequence(2) + dice.choice(["", "c", "$"]) for _ in range(many)]
    return [pattern for pattern in found if len(pattern) <= 120]  # longer ones take long to judge


def main():
    patterns = list(dict.fromkeys(WRITTEN + LIMITS + list(combined()) + drawn(600)))
    with open("patterns.json", "w", encoding="utf-8") as out:
        json.dump(patterns, out, indent=0, ensure_ascii=True)
        out.write("\n")
    print(len(patterns), "patterns")


main()
