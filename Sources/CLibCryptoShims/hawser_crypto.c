#include "hawser_crypto.h"
