/* Loads a library while it runs, and calls its `dial` (dial.c): later LIBRARY MODE HOST PORT [HOW].
 * HOW is `thread`, `fork`, `twice` (it tries to load the library twice) or `apart` (into another
 * namespace). Prints what the loader says where it loads none; the status is `dial`'s. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int (*dial)(const char *, const char *, const char *);
static char **words;

static void *run(void *result) {
    *(int *)result = dial(words[2], words[3], words[4]);
    return NULL;
}

int main(int count, char **arguments) {
    if (count < 5) return 64;
    const char *how = count > 5 ? arguments[5] : "";
    words = arguments;
    void *handle = strcmp(how, "apart") == 0 ? dlmopen(LM_ID_NEWLM, arguments[1], RTLD_NOW | RTLD_LOCAL)
                                              : dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL && strcmp(how, "twice") == 0) {
        puts(dlerror());
        handle = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    }
    if (handle == NULL) {
        puts(dlerror());
        return 70;
    }
    dial = (int (*)(const char *, const char *, const char *))dlsym(handle, "dial");
    if (dial == NULL) return 71;
    int result = 72;
    pthread_t thread;
    if (strcmp(how, "thread") == 0) {
        if (pthread_create(&thread, NULL, run, &result) == 0) pthread_join(thread, NULL);
        return result;
    }
    if (strcmp(how, "fork") == 0) {
        pid_t child = fork();
        if (child == 0) run(&result), _exit(result);
        waitpid(child, &result, 0);
        return WEXITSTATUS(result);
    }
    run(&result);
    return result;
}
