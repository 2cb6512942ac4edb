"use strict";
// The address of a version that is still the latest: leads to the document's page, and keeps
// the place on it.
location.replace(`index.html${location.search}${location.hash}`);
