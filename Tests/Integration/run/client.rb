# Asks a server of the rig over HTTPS, without verifying it:
# client.rb NAME PORT VERSION [TIMES] [PAUSE]
# With PAUSE it waits for a line of standard input before each request but the first.
require 'net/http'
require 'openssl'

name, port, version, times, pause = ARGV
status = 0
(times || 1).to_i.times do |round|
  $stdin.gets if pause && round > 0
  http = Net::HTTP.new("#{name}.rig.example", port.to_i, nil)
  http.ipaddr = '127.0.0.1'
  http.use_ssl = true
  http.verify_mode = OpenSSL::SSL::VERIFY_NONE
  http.min_version = http.max_version = version == 'tls1_2' ? :TLS1_2 : :TLS1_3
  begin
    puts http.get('/').code
  rescue OpenSSL::SSL::SSLError => e
    warn e.message
    status = 1
  end
  $stdout.flush
end
exit status
