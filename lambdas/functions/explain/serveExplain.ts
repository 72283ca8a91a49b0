import type { OwnPathEnvironment } from '../../rest/createApiApp.ts';
import type { ApiHandler } from '../api/createApiHandler.ts';
import { asksToExplain, EXPLAIN_PREFIX } from './asksToExplain.ts';
import { webPageRefusal } from '../../rest/request/refuseWebPages.ts';
import type { Explainer } from './createExplainer.ts';
import type { Explanation } from '../../explain/Explanation.ts';
import { formatExplainKey, parseExplainKey } from './explainKey.ts';
import { renderExplanation } from '../../explain/renderExplanation.ts';

/**
 * The API, which answers `GET /debug/explain/CONTROLLER/NAMESPACE/NAME` with text, or with JSON for `Accept: application/json`. It decides who may ask, as for any other path that is no resource, and records the answer. With `allowedHosts`, it answers a request under another host name as if
 * there were no explanations.
 */
export function serveExplain(api: ApiHandler, explain: Explainer, allowedHosts?: readonly string[]): ApiHandler {
  return async (request, environment) => {
    if (!asksToExplain(request)) return await api(request, environment);
    const url = new URL(request.url);
    const isRefused = allowedHosts && webPageRefusal(allowedHosts, request.headers, url) !== undefined;
    if (isRefused) return await api(request, environment);
    const own: OwnPathEnvironment = { answerOwnPath: async () => await answer(request, url, explain) };
    return await api(request, { ...(environment as object | undefined), ...own });
  };
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
