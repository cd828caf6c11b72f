-- For wrk: sends the requests of a file in turn, from a random one on, and prints what was seen as JSON.
-- A line is a path, a key and an ETag, by tabs; `wrk … -s load.lua ORIGIN -- FILE [ACCEPT-ENCODING]`.
local requests = {}
local turn = 0

function init(args)
  for line in io.lines(args[1]) do
    local path, key, etag = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)$")
    local headers = { Authorization = "Bearer " .. key }
    if args[2] then headers["Accept-Encoding"] = args[2] end
    if etag ~= "" then headers["If-None-Match"] = etag end
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
  math.randomseed(os.time())
  turn = math.random(#requests)
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'JSON {"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
