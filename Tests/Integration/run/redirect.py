"""A TLS server that sends everybody elsewhere: redirect.py CERTIFICATE KEY URL"""
import http.server
import ssl
import sys

CERTIFICATE, KEY, URL = sys.argv[1:]


class Elsewhere(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(302)
        self.send_header("Location", URL)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(CERTIFICATE, KEY)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(f"ACCEPT 127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
