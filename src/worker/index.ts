export { serveConnection } from './connection.js';
export { serveSocket } from './socket-server.js';
