/* The version of every part of this repository, and facts about this build of it. Files that repeat
 * the version are compared with this one by `Packaging/dist/versions.py`. */
#ifndef HAWSER_VERSION_H
#define HAWSER_VERSION_H

#include <stddef.h>
#include <stdint.h>

/* By Semantic Versioning 2.0.0. */
#define HAWSER_VERSION "0.1.0"

enum {
    /* The commit that was built, as 40 hexadecimal digits. Empty unless this is a release build. */
    HAWSER_BUILD_COMMIT,
    /* The toolchain. Builds that are not releases know only its C compiler. */
    HAWSER_BUILD_TOOLCHAIN,
    /* The text with which libcrypto describes itself. */
    HAWSER_BUILD_LIBCRYPTO,
    /* The file that libcrypto was loaded from. Empty if libcrypto is part of the executable. */
    HAWSER_BUILD_LIBCRYPTO_FILE
};

/* One octet of a fact, and 0 beyond its end. An octet at a time, so that its caller in Swift needs
 * no pointer. */
unsigned char hawser_build_octet(uint32_t fact, size_t place);

#endif
