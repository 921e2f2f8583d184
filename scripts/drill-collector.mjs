import { createServer } from 'node:http';

/** A collector of traces, which can be stopped and started again at the same port. */
export class Collector {
  /** How many spans came, and all that they say. */
  spans = 0;
  said = '';
  #port = 0;
  #server;

  get url() {
    return `http://127.0.0.1:${this.#port}/`;
  }

  async start() {
    this.#server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      this.spans += JSON.parse(text).length;
      this.said += text;
      response.end();
    });
    await new Promise((done) => this.#server.listen(this.#port, '127.0.0.1', done));
    this.#port = this.#server.address().port;
  }

  async stop() {
    const closed = new Promise((done) => this.#server.close(done));
    this.#server.closeAllConnections();
    await closed;
  }
}
