/* events [FILE...]: reads each file whole, as hawser does, and has libyaml give its events, whose
 * number it prints. Without a FILE, the names stand on standard input, one a line. It is what every
 * reader of YAML by libyaml must do: `lint`, `check` and `compile` are measured beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* The events of a file; -1 where it cannot be read, -2 where it is not YAML. */
static long events_of(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file), events = 0;
    rewind(file);
    unsigned char *text = malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) return -1;
    fclose(file);
    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, text, (size_t)size);
    for (int done = 0; !done; events++) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) return -2;
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    free(text);
    return events;
}

int main(int count, char **arguments) {
    static char line[4096];
    long all = 0;
    for (int place = 1; count > 1 ? place < count : fgets(line, sizeof line, stdin) != NULL; place++) {
        line[strcspn(line, "\n")] = 0;
        long events = events_of(count > 1 ? arguments[place] : line);
        if (events < 0) return events == -1 ? 2 : 1;
        all += events;
    }
    fprintf(stderr, "%ld events\n", all);
    return 0;
}
