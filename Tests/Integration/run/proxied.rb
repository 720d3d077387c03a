# Asks for a page through CONNECT and verifies nothing: proxied.rb HOST PORT PROXY
require "net/http"

host, port, proxy = ARGV
http = Net::HTTP.new(host, port.to_i, "127.0.0.1", proxy.to_i)
http.use_ssl = true
http.verify_mode = OpenSSL::SSL::VERIFY_NONE
http.get("/")
