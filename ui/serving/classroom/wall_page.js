
/* global show */ // of wall.js, which stands before it
// The wall's own window. The key comes behind “#” in the teacher's link, which is neither sent nor logged; it does
// not stay in the address, which a whole class sees, and a reload finds it here.
const main = document.querySelector(".polysee-wall"), data = JSON.parse(main.dataset.wall);
if (location.hash) sessionStorage.setItem(data.tally, location.hash.slice(1));
history.replaceState(null, "", location.pathname);
show({ data: { ...data, key: sessionStorage.getItem(data.tally) ?? "" }, parentElement: document.body });
