// The socket of a single game or a room: tickets, the first message, pings, and connecting again.
//
//   const socket = connect({ purpose: "solo", target: { level: "beginner" }, onMessage, onState });
//   socket.send({ type: "leave" });   // false, and nothing is sent, unless the socket is open
//   socket.lag();                     // the last round trip in ms, as the server measured it; null before
//   socket.again();                   // connects anew
//   socket.close();
//
// onMessage(message): every message of the server but pings.  onState(state): {state, …} with
//   "connecting"; "open" {name: how others see the visitor}; "waiting" {ms: until the next attempt, code, reason};
//   "closed" {code, reason, problem}: it does not connect again.  reason: the code of the last error message;
//   problem: the answer that refused a ticket (RFC 9457).  While it is open: "quiet": the site is not heard, or owes an
//   answer for long; "back": it is heard again.
// oldestClick(): when the oldest click without an answer was sent (performance.now()), null if there is none.
// hello(): {epoch, number, game} of what is known already, asked at each connection.
// path: a path below that of the ticket, as "copy/".

import { SUBPROTOCOL, decode, encode } from "./wire.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const QUIET_MS = 2600; // the server pings every two seconds: the player is told, within three seconds of the loss
const LOST_MS = 20_000; // taken for lost
const LOOK_MS = 200;
const STABLE_PINGS = 3; // after so many, a few seconds, the next loss is a new one
const FINAL = new Set([4400, 4403, 4404, 4409]);
const TICKETS = "/api/v1/play/tickets/";

export function connect(options) {
  const connection = new Connection(options);
  connection.begin();
  return {
    send: (message) => connection.send(message),
    lag: () => connection.lag,
    again: () => connection.drop(),
    close: () => connection.end({ code: 1000, reason: "" }),
  };
}

class Connection {
  constructor({ purpose, target = {}, onMessage, onState = () => {}, hello = () => ({}), oldestClick = () => null, path = "" }) {
    Object.assign(this, { purpose, target, onMessage, onState, hello, oldestClick, path });
    this.socket = null;
    this.isOver = false;
    this.attempts = 0;
    this.lag = null;
    this.reason = "";
    this.timer = null; // of the next attempt
    this.heard = 0; // when the last message came
    this.opened = 0; // when the connection opened
    this.offline = 0; // when the browser lost its network
    this.quiet = false;
    this.watch = setInterval(() => this.look(), LOOK_MS);
    this.onOnline = () => this.online();
    this.onOffline = () => {
      this.offline = performance.now();
      this.look();
    };
    window.addEventListener("online", this.onOnline);
    window.addEventListener("offline", this.onOffline);
  }

  async begin() {
    clearTimeout(this.timer);
    this.waits = false;
    this.onState({ state: "connecting" });
    const ticket = await this.ticket();
    if (ticket && !this.isOver) this.open(ticket);
  }

  // A fresh ticket; null if there is none, after which this connection is over or waits.
  async ticket() {
    const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
    let response;
    try {
      response = await fetch(TICKETS, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": token },
        body: JSON.stringify({ purpose: this.purpose, ...this.target }),
        signal: AbortSignal.timeout(LONGEST_WAIT_MS),
      });
      if (response.ok) return await response.json();
    } catch {
      this.wait({ code: 0, reason: "no_answer" });
      return null;
    }
    const problem = await response.json().catch(() => null);
    const reason = problem?.code ?? "";
    if (response.status === 429) this.wait({ code: 429, reason }, 1000 * Number(response.headers.get("Retry-After")));
    else if (response.status >= 500) this.wait({ code: response.status, reason });
    else this.end({ code: response.status, reason, problem });
    return null;
  }

  open({ ticket, socket: path, name }) {
    const address = new URL(path + this.path, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address, [SUBPROTOCOL]);
    this.socket = socket;
    this.reason = "";
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      const { epoch = 0, number = 0, game = new Uint8Array() } = this.hello();
      socket.send(encode({ type: "hello", ticket, epoch, number, game }));
      this.opened = performance.now();
      this.quiet = false;
      this.hear();
      this.onState({ state: "open", name });
    };
    socket.onmessage = (event) => this.receive(new Uint8Array(event.data));
    socket.onclose = ({ code }) => {
      if (this.socket === socket && !this.isOver) this.lost(code);
    };
  }

  receive(data) {
    this.hear();
    const message = decode(data);
    if (message === null) return; // of a newer server
    if (message.type === "ping") {
      if (message.id > STABLE_PINGS) this.attempts = 0;
      this.send({ type: "pong", id: message.id, client_ms: Math.round(performance.now()) });
      if (message.lag_ms) this.lag = message.lag_ms;
      return;
    }
    if (message.type === "error") this.reason = message.code;
    this.onMessage(message);
  }

  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(encode(message));
    return true;
  }

  hear() {
    this.heard = performance.now();
    this.offline = 0;
    this.look();
  }

  // Whether the other side is there: messages come, and answers too.
  look() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const now = performance.now();
    const silence = now - this.heard;
    if (silence > LOST_MS) return this.drop();
    const quiet = this.offline > 0 || silence > QUIET_MS || now - Math.max(this.oldestClick() ?? now, this.opened) > QUIET_MS;
    if (quiet === this.quiet) return;
    this.quiet = quiet;
    if (quiet) this.lag = null;
    this.onState({ state: quiet ? "quiet" : "back" });
  }

  // The network is back: a connection that has been silent meanwhile may take long to recover, a new one does not.
  online() {
    if (this.waits) this.begin();
    else if (this.quiet && this.socket && performance.now() - this.heard > QUIET_MS) this.drop();
  }

  drop() {
    const { socket } = this;
    if (!socket) return;
    this.lost(1006);
    socket.close();
  }

  lost(code) {
    this.socket = null;
    this.lag = null;
    this.offline = 0;
    if (this.reason === "elsewhere") this.attempts = 0; // the next connection may lead to the right process
    if (FINAL.has(code)) this.end({ code, reason: this.reason });
    else this.wait({ code, reason: this.reason });
  }

  // The next attempt, after half to all of a time that doubles, so that not all come at once.
  wait(why, atLeastMs = 0) {
    if (this.isOver) return;
    clearTimeout(this.timer);
    const limit = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.attempts);
    const ms = Math.max(atLeastMs || 0, Math.round(limit * (0.5 + Math.random() / 2)));
    this.attempts += 1;
    this.waits = true;
    this.timer = setTimeout(() => this.begin(), ms);
    this.onState({ state: "waiting", ms, ...why });
  }

  end(why) {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    clearInterval(this.watch);
    window.removeEventListener("online", this.onOnline);
    window.removeEventListener("offline", this.onOffline);
    this.socket?.close(1000);
    this.socket = null;
    this.onState({ state: "closed", problem: null, ...why });
  }
}
