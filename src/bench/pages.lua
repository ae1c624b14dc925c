-- wrk -t1 -c64 -d10s -s pages.lua http://localhost:8080 -- paths.txt
--
-- Asks for the paths of a file, one a line, over and over; each thread begins somewhere else. Without a file, for the URL.
-- Ends with one line of JSON: requests a second, latencies in microseconds, and everything that went wrong.

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  if not args[1] then
    return
  end
  local requests = {}
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
  math.randomseed(os.time() + number)
  local at = math.random(#requests)
  -- Only now: without such a function wrk sends one request again and again, which costs it less.
  request = function()
    at = at % #requests + 1
    return requests[at]
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"rps": %.1f, "p50": %d, "p99": %d, "max": %d, "requests": %d, "bytes": %d, "refused": %d, "broken": %d}\n',
    summary.requests / (summary.duration / 1e6),
    latency:percentile(50),
    latency:percentile(99),
    latency.max,
    summary.requests,
    summary.bytes,
    errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
