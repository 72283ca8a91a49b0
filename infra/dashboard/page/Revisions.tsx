import { useEffect, useState } from 'preact/hooks';
import type { RevisionView } from '../views/revisionsOf.ts';
import { readFromServer } from './callServer.ts';

/** The revisions that are kept, each with what it changed. `revision`: the one of now. */
export function Revisions({ place, revision }: { readonly place: string; readonly revision: string }) {
  const [revisions, setRevisions] = useState<readonly RevisionView[]>([]);
  useEffect(() => {
    readFromServer<readonly RevisionView[]>(`${place}/revisions`).then(setRevisions, () => {});
  }, [place, revision]);
  return (
    <>
      <h2>Revisions</h2>
      {revisions.map((one) => (
        <details key={one.replicaSet} open={String(one.revision) === revision}>
          <summary>
            Revision {one.revision} {String(one.revision) === revision && <b>now</b>}{' '}
            <span class="quiet">
              {one.replicaSet} {one.cause}
            </span>
          </summary>
          <Diff revision={one} />
        </details>
      ))}
    </>
  );
}

function Diff({ revision: { diff } }: { readonly revision: RevisionView }) {
  if (diff.length === 0) return <p class="quiet">The oldest one that is kept.</p>;
  return (
    <pre>
      {diff.map(({ sign, text }, index) => (
        <span key={`${index}${text}`} class={sign === '+' ? 'added' : sign === '-' ? 'removed' : ''}>
          {sign} {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
