<?php
// Asks `hawser serve` for a verdict with PHP's streams: socket, host, files with the certificates
// in PEM. Prints the status and the verdict.
[, $socket, $host] = $argv;
$question = json_encode([
    'host' => $host,
    'chain' => implode('', array_map('file_get_contents', array_slice($argv, 3))),
    'tls' => ['state' => 'observed', 'version' => 'tls1.3'],
], JSON_UNESCAPED_SLASHES);
$stream = stream_socket_client("unix://$socket", $code, $error, 5);
if ($stream === false) {
    fwrite(STDERR, "no verdict: $error\n");
    exit(2);
}
fwrite($stream, "POST /v1/evaluate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    . "Content-Type: application/json\r\nContent-Length: " . strlen($question) . "\r\n\r\n$question");
[$head, $body] = explode("\r\n\r\n", stream_get_contents($stream), 2);
$status = (int) explode(' ', $head)[1];
echo $status, ' ', json_decode($body, true)['verdict'], "\n";
exit($status === 200 ? 0 : 1);
