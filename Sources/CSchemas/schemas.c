#include "schemas.h"

#include <string.h>

/* #embed is of C23; clang has it since release 19, in every version of C. The files are
 * dependencies of this one, so that a change of a schema compiles it again. */
#ifndef __has_embed
#error "the schemas need a compiler with #embed: clang 19, as in Swift 6.2, or later"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char policy[] = {
#embed "../../grammar/policy.schema.json"
};
static const unsigned char diagnostics[] = {
#embed "../../grammar/diagnostics.schema.json"
};
static const unsigned char rules[] = {
#embed "../../grammar/rules.schema.json"
};
static const unsigned char trace[] = {
#embed "../../grammar/trace.schema.json"
};
static const unsigned char show[] = {
#embed "../../grammar/show.schema.json"
};
static const unsigned char inspect[] = {
#embed "../../grammar/inspect.schema.json"
};
static const unsigned char filter[] = {
#embed "../../grammar/filter.schema.json"
};
static const unsigned char filter_reply[] = {
#embed "../../grammar/filter-reply.schema.json"
};
static const unsigned char fetch[] = {
#embed "../../grammar/fetch.schema.json"
};
static const unsigned char revocations[] = {
#embed "../../grammar/revocations.schema.json"
};
static const unsigned char baseline[] = {
#embed "../../grammar/baseline.schema.json"
};
static const unsigned char receipt[] = {
#embed "../../grammar/receipt.schema.json"
};
static const unsigned char report[] = {
#embed "../../grammar/report.schema.json"
};
static const unsigned char error[] = {
#embed "../../grammar/error.schema.json"
};
static const unsigned char why_not[] = {
#embed "../../grammar/why-not.schema.json"
};
static const unsigned char allow[] = {
#embed "../../grammar/allow.schema.json"
};
static const unsigned char test[] = {
#embed "../../grammar/test.schema.json"
};
static const unsigned char test_report[] = {
#embed "../../grammar/test-report.schema.json"
};
static const unsigned char assertions[] = {
#embed "../../grammar/assert.schema.json"
};
static const unsigned char assert_report[] = {
#embed "../../grammar/assert-report.schema.json"
};
static const unsigned char classes[] = {
#embed "../../grammar/classes.schema.json"
};
static const unsigned char log_of_host[] = {
#embed "../../grammar/log.schema.json"
};
static const unsigned char forecast[] = {
#embed "../../grammar/forecast.schema.json"
};
static const unsigned char diff[] = {
#embed "../../grammar/diff.schema.json"
};
static const unsigned char serve[] = {
#embed "../../grammar/serve.openapi.json"
};
static const unsigned char audit[] = {
#embed "../../grammar/audit.schema.json"
};
static const unsigned char audit_row[] = {
#embed "../../grammar/audit-row.schema.json"
};
static const unsigned char audit_summary[] = {
#embed "../../grammar/audit-summary.schema.json"
};
static const unsigned char unit_report[] = {
#embed "../../grammar/unit-report.schema.json"
};
static const unsigned char exports[] = {
#embed "../../grammar/exports.schema.json"
};
static const unsigned char export_report[] = {
#embed "../../grammar/export.schema.json"
};
static const unsigned char language[] = {
#embed "../../grammar/language.md"
};
static const unsigned char allow_page[] = {
#embed "../../grammar/allow.md"
};
static const unsigned char assert_page[] = {
#embed "../../grammar/assert.md"
};
static const unsigned char audit_page[] = {
#embed "../../grammar/audit.md"
};
static const unsigned char chrome_root_store_page[] = {
#embed "../../grammar/chrome-root-store.md"
};
static const unsigned char crlite_page[] = {
#embed "../../grammar/crlite.md"
};
static const unsigned char demands_page[] = {
#embed "../../grammar/demands.md"
};
static const unsigned char diff_page[] = {
#embed "../../grammar/diff.md"
};
static const unsigned char exports_page[] = {
#embed "../../grammar/exports.md"
};
static const unsigned char forecast_page[] = {
#embed "../../grammar/forecast.md"
};
static const unsigned char foreign_files_page[] = {
#embed "../../grammar/foreign-files.md"
};
static const unsigned char report_page[] = {
#embed "../../grammar/report.md"
};
static const unsigned char revocation_set_page[] = {
#embed "../../grammar/revocation-set.md"
};
static const unsigned char signed_table_page[] = {
#embed "../../grammar/signed-table.md"
};
static const unsigned char table_format_page[] = {
#embed "../../grammar/table-format.md"
};
static const unsigned char test_page[] = {
#embed "../../grammar/test.md"
};
static const unsigned char versions_page[] = {
#embed "../../grammar/versions.md"
};
static const unsigned char diagnostic_catalogue[] = {
#embed "../../grammar/diagnostics.yaml"
};

static const struct {
    const unsigned char *octets;
    size_t length;
} schemas[] = {
    [HAWSER_SCHEMA_POLICY] = {policy, sizeof policy},
    [HAWSER_SCHEMA_DIAGNOSTICS] = {diagnostics, sizeof diagnostics},
    [HAWSER_SCHEMA_RULES] = {rules, sizeof rules},
    [HAWSER_SCHEMA_TRACE] = {trace, sizeof trace},
    [HAWSER_SCHEMA_SHOW] = {show, sizeof show},
    [HAWSER_SCHEMA_INSPECT] = {inspect, sizeof inspect},
    [HAWSER_SCHEMA_FILTER] = {filter, sizeof filter},
    [HAWSER_SCHEMA_FILTER_REPLY] = {filter_reply, sizeof filter_reply},
    [HAWSER_SCHEMA_FETCH] = {fetch, sizeof fetch},
    [HAWSER_SCHEMA_REVOCATIONS] = {revocations, sizeof revocations},
    [HAWSER_SCHEMA_BASELINE] = {baseline, sizeof baseline},
    [HAWSER_SCHEMA_RECEIPT] = {receipt, sizeof receipt},
    [HAWSER_SCHEMA_REPORT] = {report, sizeof report},
    [HAWSER_SCHEMA_ERROR] = {error, sizeof error},
    [HAWSER_SCHEMA_WHY_NOT] = {why_not, sizeof why_not},
    [HAWSER_SCHEMA_ALLOW] = {allow, sizeof allow},
    [HAWSER_SCHEMA_TEST] = {test, sizeof test},
    [HAWSER_SCHEMA_TEST_REPORT] = {test_report, sizeof test_report},
    [HAWSER_SCHEMA_ASSERT] = {assertions, sizeof assertions},
    [HAWSER_SCHEMA_ASSERT_REPORT] = {assert_report, sizeof assert_report},
    [HAWSER_SCHEMA_CLASSES] = {classes, sizeof classes},
    [HAWSER_SCHEMA_LOG] = {log_of_host, sizeof log_of_host},
    [HAWSER_SCHEMA_FORECAST] = {forecast, sizeof forecast},
    [HAWSER_SCHEMA_DIFF] = {diff, sizeof diff},
    [HAWSER_OPENAPI_SERVE] = {serve, sizeof serve},
    [HAWSER_SCHEMA_AUDIT] = {audit, sizeof audit},
    [HAWSER_SCHEMA_AUDIT_ROW] = {audit_row, sizeof audit_row},
    [HAWSER_SCHEMA_AUDIT_SUMMARY] = {audit_summary, sizeof audit_summary},
    [HAWSER_SCHEMA_UNIT_REPORT] = {unit_report, sizeof unit_report},
    [HAWSER_SCHEMA_EXPORTS] = {exports, sizeof exports},
    [HAWSER_SCHEMA_EXPORT] = {export_report, sizeof export_report},
    [HAWSER_LANGUAGE] = {language, sizeof language},
    [HAWSER_PAGE_ALLOW] = {allow_page, sizeof allow_page},
    [HAWSER_PAGE_ASSERT] = {assert_page, sizeof assert_page},
    [HAWSER_PAGE_AUDIT] = {audit_page, sizeof audit_page},
    [HAWSER_PAGE_CHROME_ROOT_STORE] = {chrome_root_store_page, sizeof chrome_root_store_page},
    [HAWSER_PAGE_CRLITE] = {crlite_page, sizeof crlite_page},
    [HAWSER_PAGE_DEMANDS] = {demands_page, sizeof demands_page},
    [HAWSER_PAGE_DIFF] = {diff_page, sizeof diff_page},
    [HAWSER_PAGE_EXPORTS] = {exports_page, sizeof exports_page},
    [HAWSER_PAGE_FORECAST] = {forecast_page, sizeof forecast_page},
    [HAWSER_PAGE_FOREIGN_FILES] = {foreign_files_page, sizeof foreign_files_page},
    [HAWSER_PAGE_REPORT] = {report_page, sizeof report_page},
    [HAWSER_PAGE_REVOCATION_SET] = {revocation_set_page, sizeof revocation_set_page},
    [HAWSER_PAGE_SIGNED_TABLE] = {signed_table_page, sizeof signed_table_page},
    [HAWSER_PAGE_TABLE_FORMAT] = {table_format_page, sizeof table_format_page},
    [HAWSER_PAGE_TEST] = {test_page, sizeof test_page},
    [HAWSER_PAGE_VERSIONS] = {versions_page, sizeof versions_page},
    [HAWSER_DIAGNOSTIC_CATALOGUE] = {diagnostic_catalogue, sizeof diagnostic_catalogue},
};

size_t hawser_schema_length(uint32_t schema) {
    return schema < sizeof schemas / sizeof *schemas ? schemas[schema].length : 0;
}

unsigned char hawser_schema_octet(uint32_t schema, size_t place) {
    return place < hawser_schema_length(schema) ? schemas[schema].octets[place] : 0;
}

size_t hawser_schema_line(uint32_t schema, size_t place, uint32_t start, size_t count) {
    const unsigned char wanted[] = {start & 0xFF, start >> 8 & 0xFF, start >> 16 & 0xFF, start >> 24};
    const size_t length = hawser_schema_length(schema);
    if (count > sizeof wanted) return length;
    while (place < length) {
        const unsigned char *octets = schemas[schema].octets;
        const int begins = place == 0 || octets[place - 1] == '\n';
        if (begins && length - place >= count && memcmp(octets + place, wanted, count) == 0) {
            return place;
        }
        const unsigned char *end = memchr(octets + place, '\n', length - place);
        place = end ? (size_t)(end - octets) + 1 : length;
    }
    return length;
}
