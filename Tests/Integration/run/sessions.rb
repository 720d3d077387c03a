# Connects twice, the second time with the session of the first: sessions.rb HOST PORT
require 'socket'
require 'openssl'

host, port = ARGV
context = OpenSSL::SSL::SSLContext.new
context.verify_mode = OpenSSL::SSL::VERIFY_NONE
context.session_cache_mode = OpenSSL::SSL::SSLContext::SESSION_CACHE_CLIENT
kept = nil
context.session_new_cb = proc { |_, session| kept = session }
words = 2.times.map do
  connection = OpenSSL::SSL::SSLSocket.new(TCPSocket.new('127.0.0.1', port.to_i), context)
  connection.session = kept if kept
  connection.hostname = host
  connection.connect
  connection.write("GET / HTTP/1.0\r\n\r\n")
  # Under TLS 1.3 the session comes with the first octets.
  connection.read
  word = connection.session_reused? ? 'resumed' : 'full'
  connection.sync_close = true
  connection.close
  word
end
puts words.join(' ')
