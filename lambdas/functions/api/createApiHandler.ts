import { type ApiAppOptions, createApiApp } from '../../rest/createApiApp.ts';

/** Answers one request. A watch is an answer whose body goes on. `environment` is what the runtime adds to the request, see `userOf`. */
export type ApiHandler = (request: Request, environment?: unknown) => Promise<Response>;

/** Creates the REST API as a function from Web requests to responses, for any server. It never rejects. */
export function createApiHandler(options: ApiAppOptions): ApiHandler {
  const app = createApiApp(options);
  return async (request, environment) => await app.fetch(request, environment);
}
