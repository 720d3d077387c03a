# Asks `hawser serve` for a verdict with Ruby's own library: socket, host, files with the
# certificates in PEM. Prints the status and the verdict.
require "json"
require "net/http"
require "socket"

socket, host, *files = ARGV
http = Net::HTTP.new("localhost")
http.define_singleton_method(:connect) do
  @socket = Net::BufferedIO.new(UNIXSocket.new(socket))
  on_connect
end
question = {
  host: host, chain: files.map { |file| File.read(file) }.join,
  tls: { state: "observed", version: "tls1.3" }
}
answer = http.post("/v1/evaluate", JSON.generate(question), "Content-Type" => "application/json")
puts "#{answer.code} #{JSON.parse(answer.body)["verdict"]}"
exit answer.is_a?(Net::HTTPSuccess) ? 0 : 1
