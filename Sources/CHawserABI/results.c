#include "hawser.h"

/* Stands in C, since the text must live as long as the library. */
const char *hawser_result_name(int32_t result) {
    switch (result) {
    case HAWSER_OK: return "HAWSER_OK";
    case HAWSER_REJECT: return "HAWSER_REJECT";
    case HAWSER_E_MISUSE: return "HAWSER_E_MISUSE";
    case HAWSER_E_ARGUMENT: return "HAWSER_E_ARGUMENT";
    case HAWSER_E_LIMIT: return "HAWSER_E_LIMIT";
    case HAWSER_E_TABLE: return "HAWSER_E_TABLE";
    case HAWSER_E_FILE: return "HAWSER_E_FILE";
    case HAWSER_E_EVIDENCE: return "HAWSER_E_EVIDENCE";
    case HAWSER_E_SMALL: return "HAWSER_E_SMALL";
    case HAWSER_E_RANGE: return "HAWSER_E_RANGE";
    case HAWSER_E_TLS: return "HAWSER_E_TLS";
    case HAWSER_E_INTERNAL: return "HAWSER_E_INTERNAL";
    default: return "HAWSER_E_?";
    }
}

_Static_assert(sizeof(hawser_error) == 1032, "the layout of version 1");
_Static_assert(sizeof(hawser_outcome) == 152, "the layout of version 1");
