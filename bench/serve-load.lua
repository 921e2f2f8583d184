-- The load of serve.ts for wrk: requests for points near the first POINTS of CELLS cells, as serve-load.mjs makes them.
local points = tonumber(os.getenv("POINTS"))
local side = math.ceil(math.sqrt(tonumber(os.getenv("CELLS"))))
local headers = { ["x-api-key"] = os.getenv("KEY") }
local path = "/v2/forecast/statistics?lat=%.2f&lon=%.2f&var=precipitation&granularity=weekly"
local requests = {}
local sent = 0

-- Made beforehand, so that their making is not measured.
function init()
  math.randomseed(os.time())
  for i = 1, 20000 do
    local cell = math.random(0, points - 1)
    local latitude = -30 + math.floor(cell / side) * 0.25 + 0.05
    local longitude = -120 + (cell % side) * 0.25 - 0.05
    requests[i] = wrk.format("GET", string.format(path, latitude, longitude), headers)
  end
end

function request()
  sent = sent % #requests + 1
  return requests[sent]
end
