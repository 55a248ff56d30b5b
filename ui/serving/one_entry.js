// To open a page from a script (`st.switch_page`), Streamlit writes the query of that page below the address
// of this one, and then its address: two entries of the history. Back led to the first of them, which is
// this page in the other one's state. Here the second replaces the first.
(() => {
  const SOON = 10_000; // milliseconds from the query to the address, on a busy server
  const push = history.pushState.bind(history);
  let written = -SOON; // when a query was written below the same address
  history.pushState = (state, title, url) => {
    const to = new URL(url ?? "", location.href), now = performance.now(), stays = to.pathname === location.pathname;
    const switches = !stays && to.search && to.search === location.search && now - written < SOON;
    if (switches) history.replaceState(state, title, url);
    else push(state, title, url);
    written = stays ? now : -SOON;
  };
})();
