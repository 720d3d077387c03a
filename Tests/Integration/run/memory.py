"""Connects with TLS over buffers in memory, as asyncio does: memory.py HOST PORT"""
import asyncio
import ssl
import sys

HOST, PORT = sys.argv[1], int(sys.argv[2])
CONTEXT = ssl.create_default_context()
CONTEXT.check_hostname = False
CONTEXT.verify_mode = ssl.CERT_NONE


async def connect():
    _, writer = await asyncio.open_connection("127.0.0.1", PORT, ssl=CONTEXT, server_hostname=HOST)
    writer.close()


try:
    asyncio.run(connect())
except ssl.SSLError as error:
    sys.exit(str(error))
