/* For browsers from before 2018, which know no modules: say so in words instead of showing an empty page, and
   to the companion, so that `companion doctor` knows which device it is. */
new Image().src = "/api/too-old";
document.getElementById("app").innerHTML =
  "<p class='plain'>This browser is too old to draw the table (it is from before 2018). Any newer phone, tablet or laptop will do.<br>" +
  "Dieser Browser ist zu alt (vor 2018).<br>Tento prohl&iacute;&#382;e&#269; je p&#345;&iacute;li&scaron; star&yacute; (p&#345;ed rokem 2018).</p>";
