using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "weather", worker = .weather)],
  sockets = [(name = "http", address = "127.0.0.1:8080", http = (), service = "weather")],
);

const weather :Workerd.Worker = (
  compatibilityDate = "2025-01-01",
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "plumecast.wasm", wasm = embed "plumecast.wasm"),
  ],
);
