-- wrk's part of `npm run bench -- rate mixed`: each thread has one connection and calls for its own listeners in turns.
-- Arguments: the file with a call per line, threads, host, path of a rating, and the mean pause of a caller in
-- milliseconds. A line has a cookie, a path and a Range, or a cookie, an empty path, a microgenre and its first song:
-- then its listener rates that song and from then on the one that the response names.

local started = 0

function setup(thread)
  thread:set('number', started)
  started = started + 1
end

function init(args)
  local step = tonumber(args[2])
  host, ratings, pause = args[3], args[4], tonumber(args[5])
  math.randomseed(number + 1)
  lines, turn, asked, rating = {}, 0, false, nil
  local place = 0
  for line in io.lines(args[1]) do
    if place % step == number then
      local cookie, path, third, fourth = line:match('^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)$')
      lines[#lines + 1] = { cookie = cookie, path = path, range = third, genre = third, song = fourth, rated = 0 }
    end
    place = place + 1
  end
end

function delay()
  return pause > 0 and math.random(0, 2 * pause) or 0
end

function request()
  -- Before it begins, wrk asks the first thread for one request that it does not send.
  local is_trial = number == 0 and not asked
  asked = true
  local line = lines[turn % #lines + 1]
  if not is_trial then turn = turn + 1 end
  local head = ' HTTP/1.1\r\nHost: ' .. host .. '\r\nCookie: ' .. line.cookie .. '\r\n'
  if line.path ~= '' then
    rating = nil
    local range = line.range ~= '' and 'Range: ' .. line.range .. '\r\n' or ''
    return 'GET ' .. line.path .. head .. range .. '\r\n'
  end
  rating = line
  if not is_trial then line.rated = line.rated + 1 end
  local body = '{"microgenreId":"' .. line.genre .. '","songId":"' .. line.song .. '","rating":"'
    .. (line.rated % 3 == 0 and 'bust' or 'banger') .. '","heard":{"seconds":20,"source":"preview"},'
    .. '"zone":"Europe/Berlin","ahead":' .. (line.rated % 3 == 0 and 'true' or 'false') .. '}'
  return 'POST ' .. ratings .. head .. 'Content-Type: application/json\r\nContent-Length: ' .. #body .. '\r\n\r\n'
    .. body
end

function response(status, headers, body)
  if rating then rating.song = body:match('"nextSong":{"id":"(%d+)"') or rating.song end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"calls":%d,"seconds":%.3f,"refused":%d,"broken":%d,"p50":%.3f,"p99":%.3f,"slowest":%.3f}\n',
    summary.requests, summary.duration / 1e6, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end
