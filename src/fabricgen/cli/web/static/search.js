// Finds names, addresses, AS numbers, VLANs, VNIs and VRFs. Addresses load page by page.
"use strict";
fabricgen.search = (() => {
  const { load } = fabricgen;
  const MOST = 12;
  const WORDS = /^(asn?|vlan|vni|vrf)(?:\s+|(?=\d))(\S.*)$/;   // a word before a number or a name: as 65001
  const ADDRESS = /^(?=.*[.:]|\d+$)[0-9a-f.:]+(\/\d*)?$/;
  const names = new WeakMap();   // rows of names by the chunk that they are from

  // 0 is equal, 1 starts with the word, 2 contains it, 3 does not.
  function rank(text, word) {
    const place = text.indexOf(word);
    return place < 0 ? 3 : place > 0 ? 2 : text.length === word.length ? 0 : 1;
  }

  // The best rows of a list, at most 12. test(row) ranks a row.
  function best(rows, test, made) {
    const found = [[], [], []];
    for (const row of rows) {
      const at = test(row);
      if (at < 3 && found[at].length < MOST) found[at].push(row);
      if (at === 0 && found[0].length === MOST) break;
    }
    return found.flatMap((each, at) => each.map((row) => ({ rank: at, ...made(row) }))).slice(0, MOST);
  }

  function rowsOf(devices) {
    if (!names.has(devices)) {
      names.set(devices, [
        ...devices.switches.map(([name, fabric]) => ({ name, low: name.toLowerCase(), page: "switch", what: `${fabric} switch` })),
        ...devices.servers.map(([name, kind]) => ({ name, low: name.toLowerCase(), page: "server", what: `${kind} server`.trim() }))]);
    }
    return names.get(devices);
  }

  function byName(devices, word) {
    return best(rowsOf(devices), (row) => rank(row.low, word), ({ name, page, what }) => ({ text: name, what, parts: [page, name] }));
  }

  // A number is found by its start alone: 10 is in too many others.
  const rankNumber = (number, word) => { const at = rank(String(number), word); return at === 2 ? 3 : at; };

  function byNumber(index, devices, word) {
    const rows = rowsOf(devices);
    return best(index.numbers, ([asn]) => rankNumber(asn, word), ([asn, owner, use]) => ({ text: `AS ${asn}`,
      what: use === "switch" ? rows[owner].name : `${use}, ${rows[owner].name}`, parts: [rows[owner].page, rows[owner].name] }));
  }

  function byNetwork(index, word, kind) {
    const gateway = word.replace(/\/.*$/, "");
    const test = ([, own, number, name, vni, gateways]) => {
      if (kind === "vlan" && own !== "vlan" || kind === "vrf" && own !== "vrf") return 3;
      const ranks = [];
      if (kind !== "vni") ranks.push(rank(name.toLowerCase(), word), rankNumber(number, word));
      if (vni !== null && (!kind || kind === "vni")) ranks.push(rankNumber(vni, word));
      if (!kind && /[.:]/.test(word)) ranks.push(...gateways.map((each) => rankNumber(each, gateway)));
      return Math.min(3, ...ranks);
    };
    return best(index.networks, test, ([fabric, own, number, name, vni]) => ({
      text: `${own === "vlan" ? `VLAN ${number}` : "VRF"} ${name}`, what: [fabric, vni === null ? "" : `VNI ${vni}`].filter(Boolean).join(", "),
      parts: ["network", fabric, own, String(number), name] }));
  }

  // The page that has the first address with this start, or the one before the next page.
  function pageOf(firsts, word) {
    let low = 0, high = firsts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (firsts[middle] !== "" && firsts[middle] < word) low = middle; else high = middle - 1;
    }
    return low;
  }

  async function byAddress(index, devices, asked) {
    const word = asked.replace(/\/.*$/, ""), rows = rowsOf(devices), found = [];
    for (let page = pageOf(index.pages, word); page < index.pages.length; page++) {
      const data = await load(`search/addresses/${page}`);
      for (const [address, owner, use] of data.rows) {
        if (!address.startsWith(word)) continue;
        found.push({ rank: address === word ? 0 : 1, text: address, what: `${rows[owner].name}, ${data.uses[use]}`, parts: [rows[owner].page, rows[owner].name] });
        if (found.length === MOST) return found;
      }
      const next = index.pages[page + 1];
      if (next === undefined || !next.startsWith(word) && next > word) break;
    }
    return found;
  }

  // The names that fit, at once. Used while the rest loads for the first time.
  async function findNames(asked) {
    return byName(await load("devices"), asked);
  }

  // Everything that fits: equal ones first, then those that start with the word.
  async function find(asked) {
    const [devices, index] = await Promise.all([load("devices"), load("search/index")]);
    const [, kind, rest] = WORDS.exec(asked) ?? [];
    const found = byName(devices, asked);
    const word = rest ?? asked, ofNumber = /^\d+$/.test(word);
    if (ofNumber && (!kind || kind.startsWith("as"))) found.push(...byNumber(index, devices, word));
    if (!kind || !kind.startsWith("as")) found.push(...byNetwork(index, word, kind));
    if (!kind && ADDRESS.test(asked)) found.push(...await byAddress(index, devices, asked));
    return found.sort((one, other) => one.rank - other.rank).slice(0, MOST);
  }

  return { find, findNames };
})();
