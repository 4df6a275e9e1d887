-- wrk's part of `npm run bench -- rate`: each thread rates for its own listeners, song after song.
-- Arguments: the file with a cookie per line, threads, host, path, the body with %d for the song and %s for the rating,
-- first song, songs, ratings in turn, and the mean pause of a caller between a response and its next call, in milliseconds.

local started = 0

function setup(thread)
  thread:set('number', started)
  started = started + 1
end

function init(args)
  local step = tonumber(args[2])
  body, first, count, pause = args[5], tonumber(args[6]), tonumber(args[7]), tonumber(args[9])
  math.randomseed(number + 1)
  ratings = {}
  for rating in args[8]:gmatch('[^,]+') do
    ratings[#ratings + 1] = rating
  end
  heads, songs, turn, asked = {}, {}, 0, false
  local line = 0
  for cookie in io.lines(args[1]) do
    if line % step == number then
      heads[#heads + 1] = 'POST ' .. args[4] .. ' HTTP/1.1\r\nHost: ' .. args[3] .. '\r\nCookie: ' .. cookie
        .. '\r\nContent-Type: application/json\r\nContent-Length: '
      songs[#songs + 1] = 0
    end
    line = line + 1
  end
end

function delay()
  return pause > 0 and math.random(0, 2 * pause) or 0
end

function request()
  -- Before it begins, wrk asks the first thread for one request that it does not send.
  local is_trial = number == 0 and not asked
  asked = true
  local at = turn % #heads + 1
  local song = songs[at]
  if not is_trial then
    turn = turn + 1
    songs[at] = song + 1
  end
  local content = string.format(body, first + song % count, ratings[song % #ratings + 1])
  return heads[at] .. #content .. '\r\n\r\n' .. content
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"calls":%d,"seconds":%.3f,"refused":%d,"p50":%.3f,"p99":%.3f}\n',
    summary.requests, summary.duration / 1e6,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
