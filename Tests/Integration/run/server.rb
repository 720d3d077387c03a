# A TLS server on a context that may be a client's or a server's, for one connection:
# server.rb CERTIFICATE KEY
require 'socket'
require 'openssl'

context = OpenSSL::SSL::SSLContext.new
context.cert = OpenSSL::X509::Certificate.new(File.read(ARGV[0]))
context.key = OpenSSL::PKey.read(File.read(ARGV[1]))
listener = TCPServer.new('127.0.0.1', 0)
puts "ACCEPT 127.0.0.1:#{listener.addr[1]}"
$stdout.flush
connection = OpenSSL::SSL::SSLServer.new(listener, context).accept
connection.puts 'served'
connection.close
