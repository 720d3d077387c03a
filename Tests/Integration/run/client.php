<?php
// Asks a server of the rig over HTTPS, without verifying it: client.php NAME PORT VERSION
[, $name, $port, $version] = $argv;
$context = stream_context_create(['ssl' => [
    'verify_peer' => false, 'verify_peer_name' => false, 'peer_name' => "$name.rig.example",
    'crypto_method' => $version === 'tls1_2'
        ? STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT : STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT]]);
$stream = @stream_socket_client("tls://127.0.0.1:$port", $number, $words, 10, STREAM_CLIENT_CONNECT, $context);
if ($stream === false) {
    fwrite(STDERR, "no connection\n");
    exit(1);
}
fwrite($stream, "GET / HTTP/1.0\r\n\r\n");
echo fgets($stream);
