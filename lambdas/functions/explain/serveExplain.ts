import type { ApiHandler } from '../api/createApiHandler.ts';
import { asksToExplain, EXPLAIN_PREFIX } from './asksToExplain.ts';
import { webPageRefusal } from '../../rest/request/refuseWebPages.ts';
import type { Explainer } from './createExplainer.ts';
import type { Explanation } from '../../explain/Explanation.ts';
import { formatExplainKey, parseExplainKey } from './explainKey.ts';
import { renderExplanation } from '../../explain/renderExplanation.ts';

export interface ExplainPlace {
  /** The host names of the server. Absent: any. */
  readonly allowedHosts?: readonly string[];
  /** Whether the API decides who may read explanations, as any other path that is no resource. */
  readonly isGuarded: boolean;
}

/**
 * The API, with `GET /debug/explain/CONTROLLER/NAMESPACE/NAME` in front of it, which answers with text, or with JSON for `Accept: application/json`. The API answers all other
 * requests, and those whose host name is not the server's own.
 */
export function serveExplain(
  api: ApiHandler,
  explain: Explainer,
  { allowedHosts, isGuarded }: ExplainPlace,
): ApiHandler {
  return async (request, environment) => {
    if (!asksToExplain(request)) return await api(request, environment);
    const url = new URL(request.url);
    // The API refuses web pages of other servers with its own words.
    const isRefused = allowedHosts && webPageRefusal(allowedHosts, request.headers, url) !== undefined;
    if (isRefused) return await api(request, environment);
    const refusal = isGuarded ? await refusalOf(api, request, environment) : undefined;
    if (refusal) return refusal;
    return await answer(request, url, explain);
  };
}

/** The API knows no such path, and says so to those who may ask for it. Its other answers are refusals. */
async function refusalOf(api: ApiHandler, request: Request, environment: unknown): Promise<Response | undefined> {
  const answer = await api(request.clone(), environment);
  return answer.status === 404 ? undefined : answer;
}

/** The explanation as text. Throws a TypeError for a text that is no key, and an Error for a key that nothing is known about. */
export async function explainText(explain: Explainer, text: string): Promise<string> {
  return renderExplanation(await explainKnown(explain, text));
}

class UnknownKeyError extends Error {}

async function explainKnown(explain: Explainer, text: string): Promise<Explanation> {
  const key = parseExplainKey(text);
  const explanation = await explain(key);
  if (explanation) return explanation;
  throw new UnknownKeyError(`${formatExplainKey(key)}: there is no such object, and no sync of it is remembered`);
}

async function answer(request: Request, url: URL, explain: Explainer): Promise<Response> {
  try {
    const parts = url.pathname.slice(EXPLAIN_PREFIX.length).split('/').map(decodeURIComponent);
    const explanation = await explainKnown(explain, parts.join('/'));
    if (request.headers.get('accept')?.includes('application/json')) return Response.json(explanation);
    return plain(renderExplanation(explanation), 200);
  } catch (error) {
    if (error instanceof UnknownKeyError) return plain(`${error.message}\n`, 404);
    // The path is no key, or not percent-encoded correctly.
    if (error instanceof TypeError || error instanceof URIError) return plain(`${error.message}\n`, 400);
    throw error;
  }
}

function plain(text: string, status: number): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}
