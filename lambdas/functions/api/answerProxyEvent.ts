import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../../objects/ApiError.ts';
import { internalError, statusOf } from '../../rest/response/statusOf.ts';
import type { Log } from '../createLog.ts';
import { type ApiEnvironment, fromProxyEvent, userOf } from './fromProxyEvent.ts';

/** Answers one request; `environment` is what it gets besides the request. */
export type Fetch = (request: Request, environment: ApiEnvironment) => Promise<Response>;

/** The application's answer to a proxy event. Never rejects: an event that is no request is the client's fault, and says so. */
export async function answerProxyEvent(fetch: Fetch, log: Log, event: APIGatewayProxyEvent): Promise<Response> {
  let request: Request;
  try {
    request = fromProxyEvent(event);
  } catch (error) {
    log({ level: 'info', msg: 'no request', error: String(error) });
    return refuse(new ApiError('BadRequest', 'the server could not understand the request'));
  }
  try {
    return await fetch(request, { user: userOf(event) });
  } catch (error) {
    log({ level: 'error', msg: 'the application failed', error: describe(error) });
    return refuse(internalError(error));
  }
}

function refuse(error: ApiError): Response {
  return Response.json(statusOf(error), { status: error.code });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
