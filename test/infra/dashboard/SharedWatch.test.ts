import { expect, test, vi } from 'vitest';
import { SharedWatch } from '../../../infra/dashboard/server/SharedWatch.ts';

test('a problem is over as soon as the watch is answered again, before anything changes', async () => {
  let isAway = false;
  let cut = () => {};
  const send = async (path: string): Promise<Response> => {
    if (isAway) throw new Error('no server answers');
    if (!path.includes('watch=')) return Response.json({ metadata: { resourceVersion: '1' }, items: [] });
    return new Response(
      new ReadableStream({
        start: (controller) => {
          cut = () => controller.error(new Error('cut off'));
        },
      }),
    );
  };
  const watch = new SharedWatch(send, '/api/v1/pods');
  const leave = watch.follow(() => {});
  await vi.waitFor(() => expect([watch.isListed, watch.begunCount]).toEqual([true, 1]));
  isAway = true;
  cut();
  await vi.waitFor(() => expect(watch.problem).toBe('no server answers'), { timeout: 10_000 });
  isAway = false;
  await vi.waitFor(() => expect(watch.problem).toBeUndefined(), { timeout: 10_000 });
  leave();
});
