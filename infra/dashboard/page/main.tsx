import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ServerView } from '../views/PageViews.ts';
import { readFromServer } from './callServer.ts';
import { Costs } from './Costs.tsx';
import { Overview } from './Overview.tsx';
import { RolloutPage } from './RolloutPage.tsx';

const ASK_AGAIN_MS = 2_000;

/** The page: the overview, or one Deployment that the address names (`#/deployments/default/web`). */
function Page() {
  const [hash, setHash] = useState(location.hash);
  const [server, setServer] = useState<ServerView>();
  useEffect(() => {
    const moved = () => setHash(location.hash);
    addEventListener('hashchange', moved);
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A server that is away when the page is loaded, or does not know the user, tells later what it is.
    const ask = async () => {
      const view = await readFromServer<ServerView>('/server').catch(() => undefined);
      if (view) setServer(view);
      if (!view || view.version === '') timer = setTimeout(() => void ask(), ASK_AGAIN_MS);
    };
    void ask();
    return () => {
      removeEventListener('hashchange', moved);
      clearTimeout(timer);
    };
  }, []);
  const [, kind, namespace, name] = hash.split('/').map(decoded);
  return (
    <>
      <header>
        <a class="brand" href="#/">
          Driftless
        </a>
        <span class="version">{server?.version}</span>
        {server && server.version !== '' && !server.isDriftless && (
          <span class="version">
            not Driftless: what its controllers would say is computed here, and it has no clock to move, no faults and
            no behaviours of pods
          </span>
        )}
      </header>
      {kind === 'deployments' && namespace && name ? (
        <RolloutPage key={hash} namespace={namespace} name={name} server={server} />
      ) : (
        <Overview server={server} />
      )}
      <Costs isCloud={server?.isCloud === true} />
    </>
  );
}

/** A part of an address that nobody can decode names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const root = document.querySelector('#page');
if (root) render(<Page />, root);
