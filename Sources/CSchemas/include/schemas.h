/* The JSON Schemas of grammar/, octet by octet, as `hawser schema` prints them, and its pages, as
 * `hawser help language` and `hawser help diff.md` print them. The OpenAPI document counts among
 * the schemas. `hawser rule` reads its pages in the catalogue of diagnostics, and the keys of the
 * language in the page of the language. */
#ifndef HAWSER_SCHEMAS_H
#define HAWSER_SCHEMAS_H

#include <stddef.h>
#include <stdint.h>

enum {
    HAWSER_SCHEMA_POLICY,
    HAWSER_SCHEMA_DIAGNOSTICS,
    HAWSER_SCHEMA_RULES,
    HAWSER_SCHEMA_TRACE,
    HAWSER_SCHEMA_SHOW,
    HAWSER_SCHEMA_INSPECT,
    HAWSER_SCHEMA_FILTER,
    HAWSER_SCHEMA_FILTER_REPLY,
    HAWSER_SCHEMA_FETCH,
    HAWSER_SCHEMA_REVOCATIONS,
    HAWSER_SCHEMA_BASELINE,
    HAWSER_SCHEMA_RECEIPT,
    HAWSER_SCHEMA_REPORT,
    HAWSER_SCHEMA_WHY_NOT,
    HAWSER_SCHEMA_DIFF,
    HAWSER_SCHEMA_ERROR,
    HAWSER_SCHEMA_ALLOW,
    HAWSER_SCHEMA_TEST,
    HAWSER_SCHEMA_TEST_REPORT,
    HAWSER_SCHEMA_ASSERT,
    HAWSER_SCHEMA_ASSERT_REPORT,
    HAWSER_SCHEMA_CLASSES,
    HAWSER_SCHEMA_FORECAST,
    HAWSER_OPENAPI_SERVE,
    HAWSER_SCHEMA_AUDIT,
    HAWSER_SCHEMA_AUDIT_ROW,
    HAWSER_SCHEMA_AUDIT_SUMMARY,
    HAWSER_SCHEMA_UNIT_REPORT,
    HAWSER_SCHEMA_LOG,
    HAWSER_SCHEMA_EXPORTS,
    HAWSER_SCHEMA_EXPORT,
    HAWSER_LANGUAGE,
    HAWSER_PAGE_ALLOW,
    HAWSER_PAGE_ASSERT,
    HAWSER_PAGE_AUDIT,
    HAWSER_PAGE_CHROME_ROOT_STORE,
    HAWSER_PAGE_CRLITE,
    HAWSER_PAGE_DEMANDS,
    HAWSER_PAGE_DIFF,
    HAWSER_PAGE_EXPORTS,
    HAWSER_PAGE_FORECAST,
    HAWSER_PAGE_FOREIGN_FILES,
    HAWSER_PAGE_REPORT,
    HAWSER_PAGE_REVOCATION_SET,
    HAWSER_PAGE_SIGNED_TABLE,
    HAWSER_PAGE_TABLE_FORMAT,
    HAWSER_PAGE_TEST,
    HAWSER_PAGE_VERSIONS,
    HAWSER_DIAGNOSTIC_CATALOGUE
};

/* How many octets a schema has; 0 where a schema of this number does not exist. */
size_t hawser_schema_length(uint32_t schema);

/* One octet of a schema; 0 beyond its end. An octet at a time, so that its caller in Swift needs no
 * pointer. */
unsigned char hawser_schema_octet(uint32_t schema, size_t place);

/* The first line of a schema that begins at `place` or later and has this start: `count` octets, at
 * most four, the first of them in the lowest octet of `start`. The length where there is none. */
size_t hawser_schema_line(uint32_t schema, size_t place, uint32_t start, size_t count);

#endif
