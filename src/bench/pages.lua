-- wrk -t1 -c64 -d10s -s pages.lua http://localhost:8080 -- paths.txt
--
-- Requests the paths in a file (one per line) repeatedly, starting at a random line. Without a file, requests
-- the URL repeatedly.
-- A tab separates a path from an entity tag, which is sent as If-None-Match.
-- Prints one line of JSON: requests per second, latencies in microseconds, and the numbers of requests, bytes, and errors.

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
  for line in io.lines(args[1]) do
    local path, tag = line:match("^([^\t]+)\t?(.*)$")
    requests[#requests + 1] = wrk.format("GET", path, tag ~= "" and {["If-None-Match"] = tag} or nil)
  end
  math.randomseed(os.time() + number)
  local at = math.random(#requests)
  -- Defined only if there is a file, because wrk repeats a single request at lower cost without this function.
  request = function()
    at = at % #requests + 1
    return requests[at]
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"rps": %.1f, "p50": %d, "p99": %d, "max": %d, "requests": %d, "bytes": %d, "rejected": %d, "failed": %d}\n',
    summary.requests / (summary.duration / 1e6),
    latency:percentile(50),
    latency:percentile(99),
    latency.max,
    summary.requests,
    summary.bytes,
    errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
