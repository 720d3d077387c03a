// A server of HTTP/2 and HTTP/1.1 for each NAME that is given: prints NAME=PORT for each, and
// answers until it is ended.
const fs = require('fs'), http2 = require('http2')
for (const name of process.argv.slice(2)) {
  const options = { key: fs.readFileSync(`${name}.key`), cert: fs.readFileSync(`${name}.pem`), allowHTTP1: true }
  const server = http2.createSecureServer(options, (request, response) => {
    response.statusCode = 200
    response.end('ok')
  })
  server.on('sessionError', () => {})
  server.listen(0, '127.0.0.1', () => console.log(`${name}=${server.address().port}`))
}
