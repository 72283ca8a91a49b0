import { type ApiAppOptions, createApiApp } from '../../rest/createApiApp.ts';

/** Answers one request; watches are answers whose bodies go on. `environment` is what the runtime passes besides, see `userOf`. */
export type ApiHandler = (request: Request, environment?: unknown) => Promise<Response>;

/** The REST API as a function of Web requests, for whatever receives them. Never rejects. */
export function createApiHandler(options: ApiAppOptions): ApiHandler {
  const app = createApiApp(options);
  return async (request, environment) => await app.fetch(request, environment);
}
