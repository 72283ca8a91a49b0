import type { SendRequest } from '../../host/SendRequest.ts';
import type { ServerView } from '../views/PageViews.ts';
import { statusMessage } from './statusMessage.ts';

interface Read {
  readonly view: ServerView;
  /** The server has said what it is, rather than that it does not tell. */
  readonly isSure: boolean;
}

/** Returns what asks the server what it is, until the server has said it. Rejects with the reason while the server does not answer. */
export function rememberServer(send: SendRequest): () => Promise<ServerView> {
  let reading: Promise<Read> | undefined;
  return async () => {
    const mine = (reading ??= readServer(send));
    const forget = () => {
      if (reading === mine) reading = undefined;
    };
    try {
      const { view, isSure } = await mine;
      if (!isSure) forget();
      return view;
    } catch (error) {
      forget();
      throw error;
    }
  };
}

async function readServer(send: SendRequest): Promise<Read> {
  const response = await send('/version');
  const text = await response.text();
  if (response.status >= 500) throw new Error(statusMessage(text, response.status));
  const { gitVersion = '' } = (response.ok ? JSON.parse(text) : {}) as { readonly gitVersion?: string };
  const isDriftless = gitVersion.includes('+driftless');
  const clock = isDriftless ? await readClock(send) : undefined;
  return {
    view: {
      version: gitVersion,
      isDriftless,
      isCloud: response.headers.has('x-amz-apigw-id'),
      hasTestControls: clock !== undefined,
      isVirtual: clock === 'Virtual',
    },
    isSure: response.ok,
  };
}

/** What kind of clock a test can use: `Real` or `Virtual`. `undefined`: the server serves nothing for tests. */
async function readClock(send: SendRequest): Promise<string | undefined> {
  const response = await send('/apis/testing.driftless.dev/v1/clocks/cluster');
  const text = await response.text();
  const { status } = (response.ok ? JSON.parse(text) : {}) as { readonly status?: { readonly type?: string } };
  return status?.type;
}
