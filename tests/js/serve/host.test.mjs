// The host kit drives a real serve process over HTTP.

import assert from "node:assert/strict";
import test, { before } from "node:test";

import { kit, line, oxagen, probe, serve } from "./server.mjs";

let host;
let tools;
before(async () => {
  ({ host, tools } = await kit());
});

/** Hosts a turn with one call of `probe`; gives its output, and how often the handler ran. */
async function one(server, { facts = {}, input = {}, spec = {}, run, ...options } = {}) {
  const client = new host.ServeClient(server);
  let ran = 0;
  const tool = {
    contract: probe(facts),
    run: (call) => {
      ran += 1;
      return run ? run(call) : host.text("ran");
    },
  };
  const outcome = await host.hostTurn(
    { client, tools: [tool], authorize: host.belt({ ceiling: "medium" }), delay: 1, ...options },
    { principal: "acct_9", script: [{ tool: "probe", input }], ...spec },
  );
  assert.equal(outcome.status, "completed", JSON.stringify(outcome));
  return { output: outcome.outputs[0].output, ran };
}

test("without a gate against it, the host decides from the contract", async (t) => {
  const server = await serve(t, "--no-authz");

  await t.test("allowed", async () => {
    const events = [];
    const { output, ran } = await one(server, { onEvent: (event) => events.push(event.type) });
    assert.deepEqual(output, { ok: { content: "ran" } });
    assert.equal(ran, 1);
    assert.deepEqual(events, ["tool_start", "tool_result"]);
  });

  await t.test("denied by the ceiling", async () => {
    for (const risk of ["high", "destructive", "apocalyptic", undefined]) {
      const { output, ran } = await one(server, { facts: { risk } });
      assert.equal(output.error.class, "refused_by_policy", risk);
      assert.equal(output.error.code, "denied_by_gate");
      assert.equal(ran, 0);
    }
    const high = { authorize: host.belt({ ceiling: "high" }) };
    assert.equal((await one(server, { facts: { risk: "high" }, ...high })).ran, 1);
  });

  await t.test("denied by the lists", async () => {
    const belts = [{ allowlist: [] }, { allowlist: ["other"] }, { excluded: ["probe"] }];
    for (const belt of belts) {
      const authorize = host.belt({ ceiling: "low", ...belt });
      assert.equal((await one(server, { authorize })).output.error.code, "denied_by_gate");
    }
    const authorize = host.belt({ ceiling: "low", allowlist: ["probe"], excluded: ["other"] });
    assert.equal((await one(server, { authorize })).ran, 1);
  });

  await t.test("a decision that fails is a no", async () => {
    const broken = [
      () => {
        throw new Error("the store is down");
      },
      () => Promise.reject(new Error("the store is down")),
      () => ({ action: "perhaps" }),
      () => undefined,
    ];
    for (const authorize of broken) {
      const { output, ran } = await one(server, { authorize });
      assert.equal(output.error.code, "policy_error");
      assert.equal(ran, 0);
    }
  });

  await t.test("the host asks its own people for its own contract", async () => {
    const asking = { facts: { requires_approval: true }, spec: { approvals: "host" } };
    const asked = [];
    const ask = (answer) => (call, reason) => {
      asked.push([call.contract.schema.name, call.input.path, reason]);
      return { answer };
    };
    const input = { path: "a" };
    const yes = await one(server, { ...asking, input, ask: ask("approve") });
    assert.deepEqual([yes.output, yes.ran], [{ ok: { content: "ran" } }, 1]);
    assert.deepEqual(asked, [["probe", "a", "contract_approval"]]);
    for (const word of ["deny", "later"]) {
      const no = await one(server, { ...asking, ask: ask(word) });
      assert.deepEqual([no.output.error.code, no.ran], ["approval_refused", 0]);
    }
    const nobody = await one(server, asking);
    assert.deepEqual([nobody.output.error.code, nobody.ran], ["approval_unanswerable", 0]);
  });

  await t.test("the engine asks by a frame", async () => {
    const allow = () => ({ action: "allow" });
    const asking = {
      facts: { requires_approval: true },
      spec: { approvals: "frame" },
      authorize: allow,
      input: { path: "a" },
    };
    const asked = [];
    const approve = (answer) => (request, input) => {
      asked.push([request.asked_by, request.binding.principal, input]);
      return { answer, answered_by: "ada" };
    };
    const yes = await one(server, { ...asking, approve: approve("approve") });
    assert.equal(yes.ran, 1);
    assert.deepEqual(asked, [[["contract:requires_approval"], "host:acct_9", { path: "a" }]]);
    const no = await one(server, { ...asking, approve: approve("deny") });
    assert.deepEqual([no.output.error.code, no.ran], ["approval_refused", 0]);
    const nobody = await one(server, asking);
    assert.deepEqual([nobody.output.error.code, nobody.ran], ["approval_refused", 0]);
  });

  await t.test("what a person approved in a frame is not asked again", async () => {
    const asked = [];
    const options = (answer) => ({
      facts: { requires_approval: true },
      spec: { approvals: "frame" },
      input: { path: "a" },
      approve: () => {
        asked.push("frame");
        return { answer };
      },
      ask: () => {
        asked.push("ask");
        return { answer: "approve" };
      },
    });
    assert.equal((await one(server, options("approve"))).ran, 1);
    assert.deepEqual(asked, ["frame"]);
    assert.equal((await one(server, options("deny"))).ran, 0);
    assert.deepEqual(asked, ["frame", "frame"]);
    // A yes is good for one call: each of two is asked about, and each runs.
    const call = { tool: "probe", input: { path: "a" } };
    const twice = { principal: "acct_9", approvals: "frame", together: true, script: [call, call] };
    const both = await one(server, { ...options("approve"), spec: twice });
    assert.deepEqual([both.ran, asked.length], [2, 4]);
    // What the host's own rule asks is asked, whatever the engine asked before.
    const authorize = () => ({ action: "require_approval", reason: "own_rule" });
    assert.equal((await one(server, { ...options("approve"), authorize })).ran, 1);
    assert.deepEqual(asked.slice(4), ["frame", "ask"]);
  });

  await t.test("by default a call that needs a person never reaches the host", async () => {
    const { output, ran } = await one(server, { facts: { requires_approval: true } });
    assert.deepEqual([output.error.code, ran], ["approval_unanswerable", 0]);
  });

  await t.test("an invalid input never reaches the host", async () => {
    const { output, ran } = await one(server, { input: { path: "much too long" } });
    assert.equal(output.error.class, "invalid_input");
    assert.equal(output.error.data.violations[0].pointer, "/path");
    assert.equal(ran, 0);
  });

  await t.test("an invalid output is withheld", async () => {
    const output_schema = { type: "object", required: ["rows"], properties: { rows: { type: "integer" } } };
    const give = (value) => one(server, { facts: { output_schema }, run: () => host.data(value) });
    const good = await give({ rows: 1 });
    assert.deepEqual(good.output, { ok: { content: '{"rows":1}', data: { rows: 1 } } });
    const bad = await give({ rows: "a secret" });
    assert.equal(bad.output.error.class, "invalid_output");
    assert.ok(!JSON.stringify(bad.output).includes("secret"));
    assert.equal(bad.ran, 1);
  });

  await t.test("what a handler throws stays in the host", async () => {
    const throws = () => {
      throw new Error("a secret");
    };
    const { output } = await one(server, { run: throws });
    assert.deepEqual(output, { error: { message: "`probe` failed", class: "internal" } });
  });

  await t.test("a line that breaks is taken up again, and nothing runs twice", async (t) => {
    const { url, cut } = await line(t, server.url);
    let cuts = 0;
    const run = async () => {
      if (cuts < 3) {
        cuts += 1;
        cut();
      }
      return host.text("ran");
    };
    const { output, ran } = await one({ ...server, url }, { run, attempts: 50, delay: 5 });
    assert.deepEqual(output, { ok: { content: "ran" } });
    assert.deepEqual([ran, cuts], [1, 1]);
  });

  await t.test("a line that stays broken ends the hosting", async () => {
    const client = new host.ServeClient({ url: "http://127.0.0.1:1", token: "x" });
    const options = { client, tools: [], authorize: host.belt({ ceiling: "low" }) };
    await assert.rejects(
      host.hostOpenTurn({ ...options, attempts: 2, delay: 1 }, "turn"),
      host.HostingEnded,
    );
  });

  await t.test("ending the hosting cancels the turn", async () => {
    const end = new AbortController();
    const never = () => {
      end.abort();
      return new Promise(() => {});
    };
    await assert.rejects(one(server, { run: never, signal: end.signal }), host.HostingEnded);
  });

  await t.test("a tool learns that nobody waits for it any more", async () => {
    const client = new host.ServeClient(server);
    /** Hosts a call that waits for its signal, and does `then` when it has begun. */
    const waiting = async (then, options = {}) => {
      let signal;
      const run = async (call) => {
        signal = call.signal;
        assert.equal(signal.aborted, false);
        const aborted = new Promise((resolve) => {
          signal.addEventListener("abort", resolve, { once: true });
        });
        await then(call);
        await aborted;
        return host.text("stopped");
      };
      const tool = { contract: probe(), run };
      const authorize = host.belt({ ceiling: "low" });
      const script = [{ tool: "probe", input: {} }];
      const all = { client, tools: [tool], authorize, delay: 1, ...options };
      const ended = await host.hostTurn(all, { script }).catch((error) => error);
      assert.equal(signal.aborted, true);
      return ended;
    };
    const cancelled = await waiting(({ turnId }) => client.cancel(turnId, { reason: "enough" }));
    assert.deepEqual(cancelled, { status: "aborted", reason: "enough" });
    const end = new AbortController();
    const stopped = await waiting(() => end.abort(), { signal: end.signal });
    assert.ok(stopped instanceof host.HostingEnded);
    const { url, cut, close } = await line(t, server.url);
    const broken = { client: new host.ServeClient({ ...server, url }), attempts: 1 };
    const given = await waiting(() => (close(), cut()), broken);
    assert.ok(given instanceof host.HostingEnded);
  });

  await t.test("a cancel needs no body, and no call begins after it", async () => {
    const client = new host.ServeClient(server);
    const started = [];
    const run = async ({ turnId }) => {
      const headers = { authorization: `Bearer ${server.token}` };
      const at = `${server.url}/v1/turns/${turnId}/cancel`;
      assert.equal((await fetch(at, { method: "POST", headers })).status, 200);
      return host.text("late");
    };
    const outcome = await host.hostTurn(
      {
        client,
        tools: [{ contract: probe({ requires_approval: true }), run }],
        authorize: host.belt({ ceiling: "low" }),
        approve: ({ call_id }) => {
          started.push(call_id);
          return { answer: "approve" };
        },
      },
      { approvals: "frame", script: ["a", "b", "c"].map((path) => ({ tool: "probe", input: { path } })) },
    );
    assert.deepEqual([outcome.status, outcome.reason], ["aborted", "cancelled"]);
    assert.deepEqual(started, ["call-1"]);
  });

  await t.test("refusals carry a code", async () => {
    const client = new host.ServeClient(server);
    const twice = { tools: [probe(), probe()] };
    await assert.rejects(client.openTurn(twice), { status: 400, code: "invalid_contract" });
    const stranger = new host.ServeClient({ ...server, token: "wrong" });
    await assert.rejects(stranger.openTurn({}), { status: 401, code: "unauthorized" });
    const { turn_id } = await client.openTurn({ tools: [probe()], script: [{ tool: "probe", input: {} }] });
    const foreign = client.postResult(turn_id, { request_id: "x", output: host.text("") });
    await assert.rejects(foreign, { status: 409, code: "never_asked" });
    await client.cancel(turn_id);
  });

  await t.test("sessions share tools and principal", async () => {
    const client = new host.ServeClient(server);
    const { session_id } = await client.openSession({ principal: "acct_9", tools: [probe()] });
    const script = [{ tool: "probe", input: {} }];
    await assert.rejects(client.openSessionTurn(session_id, { script, principal: "other" }), {
      code: "principal_is_fixed",
    });
    const { turn_id } = await client.openSessionTurn(session_id, { script });
    assert.deepEqual(await client.session(session_id), { session_id, turn_id });
    const probing = { contract: probe(), run: () => host.text("ran") };
    const authorize = host.belt({ ceiling: "low" });
    const outcome = await host.hostOpenTurn({ client, tools: [probing], authorize }, turn_id);
    assert.deepEqual(outcome.outputs[0].output, { ok: { content: "ran" } });
    await client.closeSession(session_id);
    await assert.rejects(client.session(session_id), { status: 404 });
  });

  await t.test("a generated tool has a typed input", async () => {
    const grep = host.hostTool(tools.grep, (input) => host.text(`searched ${input.pattern}`));
    const input = { pattern: "a", context: 1, output_mode: "content" };
    const outcome = await host.hostTurn(
      {
        client: new host.ServeClient(server),
        tools: [grep],
        authorize: host.belt({ ceiling: "low" }),
      },
      { script: [{ tool: "grep", input }, { tool: "grep", input: { pattern: "a", context: 1 } }] },
    );
    const [good, bad] = outcome.outputs.map(({ output }) => output);
    assert.deepEqual(good, { ok: { content: "searched a" } });
    assert.equal(bad.error.class, "invalid_input", "`context` goes with `output_mode`");
  });

  await t.test("what Oxagen keeps of each tool is enough to send it", async () => {
    const records = Object.entries((await oxagen()).governance);
    assert.ok(records.length > 70);
    const contracts = records.map(([name, { riskLevel, requiresApproval, readOnly }]) => ({
      version: 1,
      schema: { name, description: "", input_schema: { type: "object" }, read_only: readOnly },
      risk: riskLevel,
      requires_approval: requiresApproval,
      provenance: "declared",
    }));
    const asking = contracts.find((contract) => contract.requires_approval);
    const tool = (contract) => ({ contract, run: () => host.text("ran") });
    const outcome = await host.hostTurn(
      {
        client: new host.ServeClient(server),
        tools: contracts.map(tool),
        authorize: host.belt({ ceiling: "high" }),
        ask: () => ({ answer: "deny" }),
      },
      {
        approvals: "host",
        script: ["get_state", asking.schema.name].map((tool) => ({ tool, input: {} })),
      },
    );
    const [read, asked] = outcome.outputs.map(({ output }) => output);
    assert.deepEqual(read, { ok: { content: "ran" } });
    assert.equal(asked.error.code, "approval_refused");
  });

  await t.test("every contract of the catalog is taken", async () => {
    const client = new host.ServeClient(server);
    const contracts = Object.values(tools.contracts);
    assert.ok(contracts.length > 70);
    const { turn_id } = await client.openTurn({ tools: contracts });
    await client.cancel(turn_id);
  });
});

test("a gate that denies keeps every frame in", async (t) => {
  const server = await serve(t, "--deny-all");
  const seen = [];
  const authorize = (call) => {
    seen.push(call);
    return { action: "allow" };
  };
  const { output, ran } = await one(server, { authorize });
  assert.equal(output.error.code, "denied_by_gate");
  assert.deepEqual([seen.length, ran], [0, 0]);
});

test("a ceiling of the engine counts a host's claim for nothing", async (t) => {
  const server = await serve(t, "--risk-ceiling", "medium");
  const { output, ran } = await one(server, { facts: { risk: "low", provenance: "builtin" } });
  assert.deepEqual([output.error.code, ran], ["denied_by_gate", 0]);
});
