import { createMock, type Mock } from 'coldframe';
import express, { type Express } from 'express';

/** Returns the server of a front end: its pages, and the mock's API below `/api`. */
export function createServer(mock: Mock): Express {
  const server = express();
  // Before body parsers, so that the mock gets each body as it was sent.
  server.use('/api', mock.handler);
  server.use(express.json());
  server.get('/', (_, response) => response.send('<title>Plants</title>'));
  return server;
}

if (require.main === module) {
  createMock({ watch: true, log: 'pretty' })
    .then((mock) => createServer(mock).listen(3000, () => console.log('http://localhost:3000')))
    .catch(console.error);
}
