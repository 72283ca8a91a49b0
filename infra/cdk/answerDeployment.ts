import { setTimeout as pause } from 'node:timers/promises';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

/** What a custom resource came to. */
export type DeploymentAnswer =
  | { readonly Status: 'SUCCESS'; readonly Data?: Readonly<Record<string, string>> }
  /** The deployment is rolled back. CloudFormation shows the reason. */
  | { readonly Status: 'FAILED'; readonly Reason: string };

const SEND_ATTEMPTS = 3;
/** CloudFormation takes 4,096 bytes of an answer. */
const MAX_REASON_CHARACTERS = 1_500;

/**
 * Answers CloudFormation's request for a custom resource, which keeps one physical id for all its life. A body of bytes has no content type, which the signature of the answer's URL would have to cover. Throws if the answer is not
 * taken: CloudFormation then waits until the resource's time is over.
 */
export async function answerDeployment(
  { ResponseURL, StackId, RequestId, LogicalResourceId }: CloudFormationCustomResourceEvent,
  physicalId: string,
  answer: DeploymentAnswer,
): Promise<void> {
  const short = answer.Status === 'FAILED' ? { Reason: answer.Reason.slice(0, MAX_REASON_CHARACTERS) } : {};
  const body = { ...answer, ...short, PhysicalResourceId: physicalId, StackId, RequestId, LogicalResourceId };
  for (let attempt = 1; ; attempt += 1) {
    const { ok, status } = await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(body)) });
    if (ok) return;
    if (attempt === SEND_ATTEMPTS) throw new Error(`CloudFormation does not take the answer: ${status}`);
    await pause(1_000);
  }
}
