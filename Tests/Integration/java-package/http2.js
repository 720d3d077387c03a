// A server of HTTP/2 for each NAME that is given: prints NAME=PORT for each, and answers until it is ended.
const fs = require('fs'), http2 = require('http2')
for (const name of process.argv.slice(2)) {
  const server = http2.createSecureServer({ key: fs.readFileSync(`${name}.key`), cert: fs.readFileSync(`${name}.pem`) })
  server.on('stream', stream => { stream.respond({ ':status': 200 }); stream.end('ok') })
  server.on('sessionError', () => {})
  server.listen(0, '127.0.0.1', () => console.log(`${name}=${server.address().port}`))
}
