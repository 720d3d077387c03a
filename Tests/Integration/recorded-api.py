"""The comments of pull requests as an API serves them: plays recorded answers on loopback, and
records the requests.

    recorded-api.py FOLDER

FOLDER/answers.json is a list of answers, taken in their order: `method` and `path` are the expected
request; `status`, `headers` and `body` are the answer. `{api}` in a header is the server's own
address. A request without a recorded answer gets 599. Every request is a line of
FOLDER/requests.jsonl: its method, path, headers and body. FOLDER/port is written when the server
listens; both files are read and written anew for each request, so that a test may change them
between two runs.
"""

import http.server
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])


class Recorded(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def play(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length).decode()
        request = {"method": self.command, "path": self.path, "headers": dict(self.headers), "body": body}
        with open(folder / "requests.jsonl", "a") as requests:
            requests.write(json.dumps(request) + "\n")

        answers = json.loads((folder / "answers.json").read_text())
        answer = answers.pop(0) if answers else {}
        (folder / "answers.json").write_text(json.dumps(answers))
        if (answer.get("method"), answer.get("path")) != (self.command, self.path):
            answer = {"status": 599, "body": {"message": f"not recorded: {self.command} {self.path}"}}
        text = json.dumps(answer.get("body")).encode()
        self.send_response(answer["status"])
        for name, value in answer.get("headers", {}).items():
            self.send_header(name, value.replace("{api}", f"http://127.0.0.1:{self.server.server_port}"))
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = play

    def log_message(self, format, *arguments):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Recorded)
(folder / "port.new").write_text(str(server.server_port))
(folder / "port.new").rename(folder / "port")
server.serve_forever()
