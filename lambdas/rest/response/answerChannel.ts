import { channel } from 'node:diagnostics_channel';

/** An answer of the API as it leaves. A subscriber may put a response in its place that passes the body on and reads along. */
export interface LeavingAnswer {
  readonly request: Request;
  response: Response;
}

/** Node's channel on which each answer is published, for those who want to see all of them, as our tests do. Without a subscriber it costs nothing. */
export const ANSWER_CHANNEL = 'driftless.answer';

const answers = channel(ANSWER_CHANNEL);

/** Shows an answer to the subscribers; returns what is sent. */
export function showAnswer(request: Request, response: Response): Response {
  if (!answers.hasSubscribers) return response;
  const answer: LeavingAnswer = { request, response };
  answers.publish(answer);
  return answer.response;
}
