#ifndef HAWSER_CRYPTO_H
#define HAWSER_CRYPTO_H
#endif
