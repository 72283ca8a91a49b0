import { useEffect, useState } from 'preact/hooks';
import type { RevisionView } from '../views/revisionsOf.ts';
import { readFromServer, reasonOf } from './callServer.ts';
import { Diff } from './Diff.tsx';

/** The revisions that are kept, each with what it changed. `revision`: the one of now. */
export function Revisions({ path, revision }: { readonly path: string; readonly revision: string }) {
  const [revisions, setRevisions] = useState<readonly RevisionView[]>([]);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const read = async () => {
      setRevisions(await readFromServer<readonly RevisionView[]>(`${path}/revisions`));
      setProblem(undefined);
    };
    read().catch((error: unknown) => setProblem(reasonOf(error)));
  }, [path, revision]);
  return (
    <>
      <h2>Revisions</h2>
      {problem && <p class="warning">{problem}</p>}
      {revisions.map((one) => (
        <details key={one.replicaSet} open={String(one.revision) === revision}>
          <summary>
            Revision {one.revision} {String(one.revision) === revision && <b>now</b>}{' '}
            <span class="quiet">
              {one.replicaSet} {one.cause}
            </span>
          </summary>
          {one.diff.length === 0 ? <p class="quiet">The oldest one that is kept.</p> : <Diff lines={one.diff} />}
        </details>
      ))}
    </>
  );
}
