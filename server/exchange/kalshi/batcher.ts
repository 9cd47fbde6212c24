/**
 * Collects the requests of one turn of the event loop and sends them together, at most `most` in
 * one message.
 */
export function createBatcher<Request, Outcome>(options: {
  most: () => number;
  send: (requests: readonly Request[]) => Promise<Map<Request, Outcome>>;
  /** Of a request that has no outcome of its own. */
  missing: Outcome;
}): (request: Request) => Promise<Outcome> {
  type Waiting = {
    request: Request;
    resolve: (outcome: Outcome) => void;
    reject: (reason: unknown) => void;
  };
  let waiting: Waiting[] = [];

  async function sendTogether(together: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await options.send(together.map(({ request }) => request));
      for (const { request, resolve } of together) {
        resolve(outcomes.get(request) ?? options.missing);
      }
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }

  function sendAll(): void {
    const most = options.most();
    const taken = waiting;
    waiting = [];
    for (let from = 0; from < taken.length; from += most) {
      void sendTogether(taken.slice(from, from + most));
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll);
      waiting.push({ request, resolve, reject });
    });
}
