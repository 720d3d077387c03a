"""Asks a server for something by a library of Python that may bring a TLS library along, and verifies
nothing: wheels.py LIBRARY HOST HTTPS POSTGRES, with the ports of recorder.py at 127.0.0.1."""
import sys

LIBRARY, HOST, HTTPS, POSTGRES = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
URL = f"https://{HOST}:{HTTPS}/"
DATABASE = f"host={HOST} hostaddr=127.0.0.1 port={POSTGRES} user=u password=p dbname=d sslmode=require"


def psycopg():
    import psycopg

    psycopg.connect(DATABASE)


def psycopg2():
    import psycopg2

    psycopg2.connect(DATABASE)


def pycurl():
    import pycurl

    curl = pycurl.Curl()
    curl.setopt(curl.URL, URL)
    curl.setopt(curl.RESOLVE, [f"{HOST}:{HTTPS}:127.0.0.1"])
    curl.setopt(curl.SSL_VERIFYPEER, 0)
    curl.setopt(curl.SSL_VERIFYHOST, 0)
    curl.setopt(curl.TIMEOUT, 20)
    curl.perform()


def pyopenssl():
    import socket

    from OpenSSL import SSL

    connection = SSL.Connection(SSL.Context(SSL.TLS_CLIENT_METHOD), socket.create_connection(("127.0.0.1", HTTPS)))
    connection.set_tlsext_host_name(HOST.encode())
    connection.set_connect_state()
    connection.do_handshake()
    connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
    connection.recv(100)


def kafka():
    import confluent_kafka

    producer = confluent_kafka.Producer({
        "bootstrap.servers": f"{HOST}:{HTTPS}", "security.protocol": "ssl", "reconnect.backoff.ms": 9000,
        "enable.ssl.certificate.verification": False, "ssl.endpoint.identification.algorithm": "none"})
    producer.list_topics(timeout=3)


def curl_cffi():
    from curl_cffi import CurlOpt, requests

    requests.get(URL, verify=False, timeout=20, curl_options={CurlOpt.RESOLVE: [f"{HOST}:{HTTPS}:127.0.0.1"]})


def primp():
    import primp

    # It asks for names in a way of its own, so this one sends no server name.
    primp.Client(verify=False, timeout=20).get(f"https://127.0.0.1:{HTTPS}/")


def grpcio():
    import grpc

    channel = grpc.secure_channel(
        f"ipv4:127.0.0.1:{HTTPS}", grpc.ssl_channel_credentials(open("root.pem", "rb").read()),
        options=[("grpc.ssl_target_name_override", HOST), ("grpc.initial_reconnect_backoff_ms", 60000)])
    grpc.channel_ready_future(channel).result(timeout=3)


def ssl():
    import socket
    import ssl

    with socket.create_connection(("127.0.0.1", HTTPS)) as plain:
        with ssl._create_unverified_context().wrap_socket(plain, server_hostname=HOST) as connection:
            connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            connection.recv(100)


def all():
    for one in ssl, pycurl, psycopg2, psycopg, pyopenssl, curl_cffi, ssl:
        try:
            one()
        except Exception as error:
            print(type(error).__name__)


globals()[LIBRARY]()
